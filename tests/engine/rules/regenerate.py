"""Writes the counts and the playthroughs anew after a wanted change: python -m tests.engine.rules.regenerate.

To add a playthrough, write a file with the line of an opening and lines such as `> 0 A 6S`, and run this.
"""

from tests.engine.rules import perft, playthrough


def main() -> None:
    """Rewrites every file; what has changed is for the reviewer to read."""
    perft.FILE.write_text(perft.regenerated(perft.FILE.read_text()))
    for file in playthrough.FILES:
        file.write_text(playthrough.regenerated(file.read_text()))


if __name__ == "__main__":
    main()
