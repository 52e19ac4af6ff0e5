"""Checks the record of a game: `python -m engine verify FILE`."""

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

from engine import InvalidText, Outcome, Record


def main(arguments: Sequence[str] | None = None) -> int:
    """Verifies a record; gives 0 if it holds, 1 if it does not, 2 if it cannot be read."""
    parser = ArgumentParser(prog="python -m engine", description="Checks the record of a game of Durak.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="verify")
    verify = commands.add_parser("verify", help="check the seal, deal again from the seed, replay the game")
    verify.add_argument("file", type=Path, help="the record that /verify gave you")
    file: Path = parser.parse_args(arguments).file
    try:
        record = Record.from_text(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeError) as error:
        return _say(f"{file} cannot be read: {error}", 2)
    except InvalidText as error:
        return _say(f"{file}: {error}", 2)
    return _verify(record)


def _verify(record: Record) -> int:
    if not record.seal:
        print("The record has no seal: nothing was promised before the deal.")
    elif not record.is_sealed:
        return _say(f"The seed is not the one that was sealed as {record.seal}.", 1)
    else:
        print(f"The seed is the one that was sealed as {record.seal}.")
    try:
        state = record.replay()
    except ValueError as error:
        return _say(f"The game cannot have been played so: {error}.", 1)
    opening = record.opening
    print(
        f"Dealt again for {opening.players} players from seed {opening.seed} and salt {opening.salt or '-'}:"
    )
    print("  " + " ".join(map(str, opening.deck)))
    print(f"All {len(record.actions)} moves are legal. {_ending(state.outcome())}")
    return 0


def _ending(outcome: Outcome | None) -> str:
    if outcome is None:
        return "The game is not over."
    if outcome.is_draw:
        return "The game is a draw."
    losers = ", ".join(map(str, outcome.losers))
    order = ", ".join(map(str, outcome.order))
    return f"Lost by seat {losers}." + (f" Out in this order: {order}." if order else "")


def _say(sentence: str, status: int) -> int:
    print(sentence, file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
