"""Draws the golden pictures anew after a wanted change: python -m tests.bot.pictures.redraw.

Look at what has changed before you commit it, also on a phone.
"""

from pathlib import Path

from tests.bot.pictures.positions import GOLDEN, readme_picture

FOLDER = Path(__file__).with_name("golden")
README_PICTURE = Path(__file__).parents[3] / ".github" / "table.png"


def main() -> None:
    """Rewrites every file, and the picture of the README."""
    for name, draw in GOLDEN.items():
        (FOLDER / f"{name}.png").write_bytes(draw())
    README_PICTURE.parent.mkdir(exist_ok=True)
    README_PICTURE.write_bytes(readme_picture())


if __name__ == "__main__":
    main()
