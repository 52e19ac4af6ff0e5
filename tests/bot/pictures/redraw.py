"""Draws the golden pictures anew after a wanted change: python -m tests.bot.pictures.redraw.

Look at what has changed before you commit it, also on a phone.
"""

from pathlib import Path

from tests.bot.pictures.positions import GOLDEN

FOLDER = Path(__file__).with_name("golden")


def main() -> None:
    """Rewrites every file."""
    for name, draw in GOLDEN.items():
        (FOLDER / f"{name}.png").write_bytes(draw())


if __name__ == "__main__":
    main()
