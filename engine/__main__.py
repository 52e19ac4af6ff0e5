"""The game in a terminal: `python -m engine play [PRESET]`, and `verify FILE` for the record of a game."""

import secrets
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path
from random import Random
from typing import TextIO

import engine
from engine.rules.opening import InvalidOpeningError

HOLDS, DOES_NOT_HOLD, CANNOT_BE_READ = range(3)  # exit codes
MAX_FILE_BYTES = 1_000_000  # the record of a game has a few thousand
MAX_SENTENCE_LENGTH = 400


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line, and returns the exit code."""
    parser = ArgumentParser(prog="python -m engine", description="The card game Durak in a terminal.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="{play,verify}")
    game = commands.add_parser(
        "play", help="play against bots", description=f"Presets: {', '.join(engine.PRESETS)}."
    )
    game.add_argument("rules", nargs="*", metavar="PRESET", help="and settings, as in transfer=on")
    game.add_argument("--players", type=int, default=2, help="how many play, you included (default: 2)")
    game.add_argument("--bots", choices=engine.STRENGTHS, default="regular", help="how well they play")
    game.add_argument("--seed", default="", help="for the same cards again")
    check = commands.add_parser("verify", help="check the seal, deal again from the seed, replay the game")
    check.add_argument("file", type=Path, help="the record that /verify gave you")
    wish = parser.parse_args(arguments)
    if wish.command == "verify":
        return _verify(wish.file)

    try:
        opening = engine.Opening(_rules(wish.rules), wish.players, wish.seed or secrets.token_hex(8))
        return _play(opening, wish.bots)
    except (engine.InvalidRulesError, engine.InvalidTextError, InvalidOpeningError) as error:
        return _complain(str(getattr(error, "message", error)), CANNOT_BE_READ)


# --- playing ----------------------------------------------------------------------------------------------

YOU = 0  # the seat of the person at the terminal


def _rules(words: Sequence[str]) -> engine.Rules:
    preset, *settings = words if words and "=" not in words[0] else ("podkidnoy-36", *words)
    if preset not in engine.PRESETS:
        nearest = ", ".join(engine.nearest(preset, engine.PRESETS))
        raise engine.InvalidTextError(f"there is no preset {preset!r}; the nearest are: {nearest}")
    return engine.PRESETS[preset].with_options(settings)


def _play(opening: engine.Opening, strength: str) -> int:
    """Plays a game with the person at the terminal, until the game or the input (Ctrl-D) ends."""
    state = opening.deal()
    events = list[engine.Event]()
    bots = [engine.STRENGTHS[strength](Random(f"{opening.seed} {seat}")) for seat in range(opening.players)]  # noqa: S311 - a guess is no secret
    _say(f"You are seat {YOU}. Type a move or its number; Ctrl-D ends the game.", sys.stdout)

    while (outcome := state.outcome()) is None:
        seat = min(state.awaited)
        view = state.view_for(seat)
        moves = state.legal_moves(seat)

        if seat == YOU:
            move = _ask(view, moves)
            if move is None:
                _say("The game ends here.", sys.stdout)
                return HOLDS
        else:
            fair = state.fair_moves(seat)
            move = bots[seat].choose(view, fair, engine.Memory.of(view, engine.seen_by(events, seat)))
            _say(f"Seat {seat}: {_words(move)}.", sys.stdout)

        state, happened = state.apply(seat, move)
        events += happened
        for event in engine.seen_by(happened, YOU):
            _tell_event(event)

    _say_all(str(state.view_for(YOU)), _result(outcome))
    return HOLDS


def _ask(view: engine.SeatView, moves: Sequence[engine.Move]) -> engine.Move | None:
    """Asks until one of these moves is chosen; returns None at the end of the input or on Ctrl-C."""
    _say_all("\n", str(view), *(f"{n:4}  {move!s:12} {_words(move)}" for n, move in enumerate(moves, 1)))
    while True:
        try:
            print("Your move: ", end="", flush=True)
            line = sys.stdin.readline()
        except KeyboardInterrupt:
            line = ""

        if not line:
            print()
            return None

        answer = " ".join(line.upper().split())
        for number, move in enumerate(moves, 1):
            if answer in (str(number), str(move)):
                return move

        _say(f"That is none of your moves: type {moves[0]}, or a number up to {len(moves)}.", sys.stdout)


def _words(move: engine.Move) -> str:
    """Returns a move in words."""
    match move:
        case engine.Attack(cards):
            return f"attack with {' '.join(map(str, cards))}"
        case engine.Defend(card, attack):
            return f"beat {attack} with {card}"
        case engine.Transfer(cards):
            return f"transfer with {' '.join(map(str, cards))}"
        case engine.ShowTrump(card):
            return f"show {card} and transfer"
        case engine.LayAway(rank):
            return f"lay away the four of {rank}"
        case engine.Accuse(card):
            return f"point at {card}"

    names = {
        engine.Take: "take",
        engine.Done: "pass",
        engine.Exchange: "exchange the trump six",
        engine.Keep: "keep the cards",
        engine.Redeal: "ask for a new deal",
    }

    return names[type(move)]


def _tell_event(event: engine.Event) -> None:
    match event:
        case engine.BeatenOff():
            _say("All is beaten.", sys.stdout)
        case engine.TakenUp(seat, cards):
            _say(f"Seat {seat} picks up {' '.join(map(str, cards))}.", sys.stdout)
        case engine.Caught(seat, by, move):
            _say(f"Seat {seat} has caught seat {by}: it was wrong to {_words(move)}.", sys.stdout)
        case engine.AccusedWrongly(seat):
            _say(f"Seat {seat} sees ghosts: that card is right.", sys.stdout)
        case engine.Redealt():
            _say("The cards are dealt again.", sys.stdout)


def _result(outcome: engine.Outcome) -> str:
    if outcome.is_draw:
        return "A draw."
    if YOU in outcome.losers:
        return "You are the fool." if len(outcome.losers) == 1 else "Your side has lost."
    return "You are out: well played."


# --- checking a record ------------------------------------------------------------------------------------


def _verify(file: Path) -> int:
    """Verifies a record; returns 0 if it holds, 1 if it does not, 2 if it cannot be read."""
    try:
        text = _text_of(file)
        record = engine.Record.from_text(text)
    except OSError as error:
        return _complain(f"{file} cannot be read: {error.strerror or error}", CANNOT_BE_READ)
    except ValueError as error:
        return _complain(f"{file} cannot be read: {error}", CANNOT_BE_READ)

    verification = engine.verify(record)
    _tell(record, verification)
    complaints = list(_complaints(text, record, verification))
    for complaint in complaints:
        _complain(f"{file}: {complaint}", DOES_NOT_HOLD)

    verdict = "The record does not hold." if complaints else "The record holds."
    _say(verdict, sys.stdout)
    return DOES_NOT_HOLD if complaints else HOLDS


def _text_of(file: Path) -> str:
    """Reads a UTF-8 file with or without a byte order mark, which Windows writes; raises ValueError."""
    with file.open("rb") as stream:
        content = stream.read(MAX_FILE_BYTES + 1)

    if len(content) > MAX_FILE_BYTES:
        raise ValueError(f"it has more than {MAX_FILE_BYTES:,} bytes, which no record has")

    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode("utf-8-sig", "replace")
        line = before.count("\n") + 1
        column = len(before) - before.rfind("\n")
        raise engine.InvalidTextError("this is not UTF-8 text", line, column) from None


def _tell(record: engine.Record, verification: engine.Verification) -> None:
    """Prints the facts that the verification confirmed."""
    opening = record.opening
    if verification.seal is engine.SealCheck.WHOLE:
        _say(f"The seed is the one that was sealed as {record.seal}.", sys.stdout)
    elif verification.seal is engine.SealCheck.SHORT:
        _say(
            f"The short seal holds: the hash of the seed begins with {record.seal}. The record was written "
            "by an earlier version, and the other half of its seal is not known.",
            sys.stdout,
        )

    if not verification.is_dealt:
        return

    salt = f"salt {opening.salt}" if opening.salt else "no salt"
    _say(f"Dealt again for {opening.players} players from seed {opening.seed} and {salt}:", sys.stdout)
    _say("  " + " ".join(map(str, opening.deck)), sys.stdout)
    _say("No player could choose the deal; that the bot's owner did not is a matter of trust.", sys.stdout)

    if verification.is_played:
        _say(f"All {verification.legal} moves are legal. {_ending(verification)}", sys.stdout)


def _complaints(
    text: str, record: engine.Record, verification: engine.Verification
) -> list[engine.InvalidTextError]:
    """Returns the faults, each with its place in the text."""
    complaints = []
    lines = {kind: [line for line, of, _ in engine.lines_of(text) if of is kind] for kind in engine.LineKind}
    last = text.rstrip().count("\n") + 1

    if verification.seal is engine.SealCheck.MISSING:
        complaints.append(engine.InvalidTextError("there is no seal: nothing was promised before the deal"))
    elif verification.seal is engine.SealCheck.BROKEN:
        sentence = f"the seed is not the one that was sealed as {record.seal}"
        complaints.append(engine.InvalidTextError(sentence, lines[engine.LineKind.SEAL][0], len("seal ") + 1))

    if not verification.is_dealt:
        sentence = f"the game cannot have been dealt so: {verification.problem}"
        complaints.append(engine.InvalidTextError(sentence, lines[engine.LineKind.OPENING][0]))
    elif verification.problem:
        line = lines[engine.LineKind.ACTION][verification.legal]
        seat, _ = record.actions[verification.legal]
        sentence = f"the game cannot have been played so: {verification.problem}"
        complaints.append(engine.InvalidTextError(sentence, line, len(str(seat)) + 2))
    elif verification.outcome is not None and verification.stopped is not None:
        complaints.append(
            engine.InvalidTextError(
                "a finished game cannot have been stopped", lines[engine.LineKind.STOP][0]
            )
        )
    elif not verification.is_played:
        complaints.append(engine.InvalidTextError("the record ends here, and the game is not over", last))

    if not lines[engine.LineKind.END] and verification.seal is not engine.SealCheck.SHORT:
        sentence = "the record was cut off: its last line says how many moves there are"
        complaints.append(engine.InvalidTextError(sentence, last))

    return complaints


def _list(seats: Sequence[int]) -> str:
    return ", ".join(map(str, seats))


_WHY_STOPPED = {
    engine.Stop.AGREEMENT: "all who played agreed to stop it",
    engine.Stop.MODERATOR: "a moderator stopped it",
    engine.Stop.DELETION: "the chat where it was played was deleted",
    engine.Stop.ABSENCE: "its players did not come back",
    engine.Stop.TIME: "its round of a cup ended before it did",
}


def _ending(verification: engine.Verification) -> str:
    if verification.stopped is not None:
        return f"The game has no result: {_WHY_STOPPED[verification.stopped]}."

    outcome = verification.outcome
    assert outcome is not None  # the game was played to its end

    if outcome.is_draw:
        return "The game is a draw."

    order = f" Out in this order: {_list(outcome.order)}." if outcome.order else ""
    return f"Lost by seat {_list(outcome.losers)}.{order}"


def _complain(sentence: str, status: int) -> int:
    is_long = len(sentence) > MAX_SENTENCE_LENGTH
    shortened = sentence[:MAX_SENTENCE_LENGTH] + "…" if is_long else sentence
    _say(shortened, sys.stderr)
    return status


def _say(sentence: str, stream: TextIO) -> None:
    """Prints a line in any encoding; escapes control characters, so that no file can control the terminal."""
    printable = "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in sentence
    )
    encoding = stream.encoding or "utf-8"
    print(printable.encode(encoding, "backslashreplace").decode(encoding), file=stream)


def _say_all(*texts: str) -> None:
    for text in texts:
        for line in text.splitlines():
            _say(line, sys.stdout)


def run() -> int:
    """Runs the command line, and returns the exit code; output that can't be written counts as an error."""
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # undecodable bytes are an unreadable move, and not a crash

    try:
        status = main()
        sys.stdout.flush()
    except KeyboardInterrupt:  # while a bot thinks
        return HOLDS
    except OSError as error:
        sys.stdout = None  # so that Python does not flush it at exit
        return _complain(f"the answer cannot be written: {error.strerror or error}", CANNOT_BE_READ)

    return status


if __name__ == "__main__":
    sys.exit(run())
