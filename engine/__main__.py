"""Checks the record of a game: `python -m engine verify FILE`."""

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from engine import (
    InvalidTextError,
    LineKind,
    Record,
    SealCheck,
    Stop,
    Verification,
    lines_of,
    verify,
)

HOLDS, DOES_NOT_HOLD, CANNOT_BE_READ = range(3)
"""Exit codes."""

LARGEST_FILE = 1_000_000
"""Bytes; the record of a game has a few thousand."""

LONGEST_SENTENCE = 400


def main(arguments: Sequence[str] | None = None) -> int:
    """Verify a record; return 0 if it holds, 1 if it does not, 2 if it cannot be read."""
    parser = ArgumentParser(prog="python -m engine", description="Checks the record of a game of Durak.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="verify")
    command = commands.add_parser("verify", help="check the seal, deal again from the seed, replay the game")
    command.add_argument("file", type=Path, help="the record that /verify gave you")
    file: Path = parser.parse_args(arguments).file
    try:
        text = _text_of(file)
        record = Record.from_text(text)
    except OSError as error:
        return _complain(f"{file} cannot be read: {error.strerror or error}", CANNOT_BE_READ)
    except ValueError as error:
        return _complain(f"{file} cannot be read: {error}", CANNOT_BE_READ)
    found = verify(record)
    _tell(record, found)
    complaints = list(_complaints(text, record, found))
    for complaint in complaints:
        _complain(f"{file}: {complaint}", DOES_NOT_HOLD)
    _say("The record does not hold." if complaints else "The record holds.", sys.stdout)
    return DOES_NOT_HOLD if complaints else HOLDS


def _text_of(file: Path) -> str:
    """Read a text file; one that begins with a byte order mark, as Windows writes it, is as good."""
    with file.open("rb") as opened:
        content = opened.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        raise ValueError(f"it has more than {LARGEST_FILE:,} bytes, which no record has")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode("utf-8-sig", "replace")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise InvalidTextError("this is not UTF-8 text", line, column) from None


def _tell(record: Record, found: Verification) -> None:
    """Say what was found to be right."""
    opening = record.opening
    if found.seal is SealCheck.WHOLE:
        _say(f"The seed is the one that was sealed as {record.seal}.", sys.stdout)
    elif found.seal is SealCheck.SHORT:
        _say(
            f"The short seal holds: the hash of the seed begins with {record.seal}. The record was written "
            "by an earlier version, and the other half of its seal is not known.",
            sys.stdout,
        )
    if not found.is_dealt:
        return
    salt = f"salt {opening.salt}" if opening.salt else "no salt"
    _say(f"Dealt again for {opening.players} players from seed {opening.seed} and {salt}:", sys.stdout)
    _say("  " + " ".join(map(str, opening.deck)), sys.stdout)
    _say(
        "No player could choose the deal; that whoever ran the bot did not is a matter of trust.", sys.stdout
    )
    if found.is_played:
        _say(f"All {found.legal} moves are legal. {_ending(found)}", sys.stdout)


def _complaints(text: str, record: Record, found: Verification) -> list[InvalidTextError]:
    """Return what is wrong, each with its place in the text."""
    complaints = []
    lines = {kind: [line for line, of, _ in lines_of(text) if of is kind] for kind in LineKind}
    last = text.rstrip().count("\n") + 1
    if found.seal is SealCheck.MISSING:
        complaints.append(InvalidTextError("there is no seal: nothing was promised before the deal"))
    elif found.seal is SealCheck.BROKEN:
        sentence = f"the seed is not the one that was sealed as {record.seal}"
        complaints.append(InvalidTextError(sentence, lines[LineKind.SEAL][0], len("seal ") + 1))
    if not found.is_dealt:
        sentence = f"the game cannot have been dealt so: {found.problem}"
        complaints.append(InvalidTextError(sentence, lines[LineKind.OPENING][0]))
    elif found.problem:
        line = lines[LineKind.ACTION][found.legal]
        seat, _ = record.actions[found.legal]
        sentence = f"the game cannot have been played so: {found.problem}"
        complaints.append(InvalidTextError(sentence, line, len(str(seat)) + 2))
    elif found.outcome is not None and found.stopped is not None:
        complaints.append(
            InvalidTextError("the game was over, so nobody stopped it", lines[LineKind.STOP][0])
        )
    elif not found.is_played:
        complaints.append(InvalidTextError("the record ends here, and the game is not over", last))
    if not lines[LineKind.END] and found.seal is not SealCheck.SHORT:
        sentence = "the record was cut off: its last line says how many moves there are"
        complaints.append(InvalidTextError(sentence, last))
    return complaints


def _list(seats: Sequence[int]) -> str:
    return ", ".join(map(str, seats))


def _ending(found: Verification) -> str:
    outcome = found.outcome
    if outcome is None:
        by = "all who played" if found.stopped is Stop.AGREEMENT else "a moderator"
        return f"The game was stopped by {by} and has no result."
    if outcome.is_draw:
        return "The game is a draw."
    order = f" Out in this order: {_list(outcome.order)}." if outcome.order else ""
    return f"Lost by seat {_list(outcome.losers)}.{order}"


def _complain(sentence: str, status: int) -> int:
    is_long = len(sentence) > LONGEST_SENTENCE
    _say(sentence[:LONGEST_SENTENCE] + "…" if is_long else sentence, sys.stderr)
    return status


def _say(sentence: str, stream: TextIO) -> None:
    """Print a line on any terminal: what a strange file put into it cannot steer that terminal."""
    shown = "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in sentence
    )
    encoding = stream.encoding or "utf-8"
    print(shown.encode(encoding, "backslashreplace").decode(encoding), file=stream)


def run() -> int:
    """Do what the command line says; an answer that cannot be written, as on a full disk, is no verdict."""
    try:
        status = main()
        sys.stdout.flush()
    except OSError as error:
        sys.stdout = None  # nothing is left to be written at the end
        return _complain(f"the answer cannot be written: {error.strerror or error}", CANNOT_BE_READ)
    return status


if __name__ == "__main__":
    sys.exit(run())
