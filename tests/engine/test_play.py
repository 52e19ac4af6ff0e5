"""`python -m engine play`: a game against house players in a terminal."""

import os
import pty
import signal
import subprocess
import sys
from contextlib import suppress

import pytest

COMMAND = (sys.executable, "-m", "engine", "play")
PROMPT = b"Your move: "


def played(typed: bytes, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Plays with this input."""
    return subprocess.run([*COMMAND, *arguments], input=typed, capture_output=True, timeout=60, check=False)


def test_a_whole_game_is_played_by_typing_moves() -> None:
    run = played(b"1\n" * 1000, "perevodnoy", "--players", "3", "--seed", "5eed")
    assert (run.returncode, run.stderr) == (0, b"")
    last = run.stdout.decode().splitlines()[-1]
    assert last in {"You are the fool.", "You are out: well played.", "A draw."}


def test_what_others_hold_is_not_shown() -> None:
    shown = played(b"", "--seed", "5eed").stdout.decode()
    _, others = (line for line in shown.splitlines() if line[2:3].isdecimal())
    assert others == "  1 attacks  5 cards"


def test_what_is_no_move_is_asked_again_and_changes_nothing() -> None:
    nonsense = b"fly\n\n0\n-1\n99\nA\x00 6S\n\xff\xfe\n" + "²\nD ♥\n".encode() + b"9" * 9999 + b"\n"
    run = played(nonsense, "--seed", "5eed")
    assert run.stdout.count(b"That is none of your moves") == nonsense.count(b"\n")
    assert run.stdout.count(b"\n> 0 ") == 1
    assert (run.returncode, run.stderr) == (0, b"")


@pytest.mark.parametrize("typed", ["1", "{move}", " {small} "])
def test_a_move_is_typed_by_its_number_or_its_text(typed: str) -> None:
    offered = played(b"", "--seed", "5eed").stdout.decode()
    move = next(line for line in offered.splitlines() if line.startswith("   1  "))[6:18].strip()
    run = played(typed.format(move=move, small=move.lower()).encode() + b"\n", "--seed", "5eed")
    assert b"none of your moves" not in run.stdout
    assert run.stdout.count(PROMPT) > 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["perevodnoi"], "the nearest are: perevodnoy"),
        (["deck=53"], "it can be: 24, 32"),
        (["--players", "9"], "TOO_MANY_PLAYERS"),
        (["--seed", "a b"], "seed must not hold spaces"),
    ],
)
def test_a_game_that_cannot_be_played_is_refused_with_a_sentence(arguments: list[str], sentence: str) -> None:
    run = played(b"", *arguments)
    assert run.returncode == 2
    assert sentence in run.stderr.decode()
    assert b"Traceback" not in run.stderr


@pytest.mark.parametrize("key", ["Ctrl-D", "Ctrl-C"])
def test_in_a_terminal_a_key_ends_the_game(key: str) -> None:
    ours, theirs = pty.openpty()
    command = [*COMMAND, "--seed", "5eed"]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a child inherits where it is ignored

    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        signal.signal(signal.SIGINT, before)
        os.close(theirs)
        shown = read_until(ours, PROMPT)
        os.write(ours, b"1\n")
        shown += read_until(ours, PROMPT)

        if key == "Ctrl-D":
            os.write(ours, b"\x04")
        else:
            process.send_signal(signal.SIGINT)

        shown += read_until(ours, b"\x00")
        assert process.wait(30) == 0

    os.close(ours)
    assert shown.rstrip().endswith(b"The game ends here.")


def read_until(terminal: int, sign: bytes) -> bytes:
    """Returns the output until this text appears, or the program ends."""
    shown = b""
    with suppress(OSError):  # the other end is closed
        while sign not in shown and (new := os.read(terminal, 4096)):
            shown += new
    return shown
