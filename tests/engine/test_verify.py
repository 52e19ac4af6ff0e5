"""`python -m engine verify FILE`: anyone can check a game without the bot."""

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from engine import PRESETS, Opening, Record, Resign, Stop, seed_hash, verify
from engine.__main__ import MAX_FILE_BYTES, main
from tests.engine.rules.games import random_game
from tests.examples import examples

OPENING = Opening(PRESETS["perevodnoy"], 3, "5eed", "11.12.13")


def played() -> Record:
    record = Record(OPENING, seal=seed_hash("5eed"), remarks=("seat 0: Anna",))
    for _, seat, move in random_game(OPENING, Random(1)):
        record = record.plus(seat, move)
    return record


def verified(tmp_path: Path, text: str) -> int:
    return verified_bytes(tmp_path, text.encode())


def verified_bytes(tmp_path: Path, content: bytes) -> int:
    file = tmp_path / "record.txt"
    file.write_bytes(content)
    return main(["verify", str(file)])


def test_a_game_as_it_was_played_holds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify(played()).holds
    assert verified(tmp_path, played().to_text()) == 0
    said = capsys.readouterr().out
    assert seed_hash("5eed") in said
    assert " ".join(map(str, OPENING.deck)) in said
    assert "moves are legal" in said


def test_of_a_record_of_an_earlier_version_the_short_seal_holds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = replace(played(), seal=seed_hash("5eed")[:32]).to_text()
    assert verified(tmp_path, "\n".join(text.splitlines()[:-1]) + "\n") == 0
    assert "The short seal holds" in capsys.readouterr().out


@pytest.mark.parametrize("reason", list(Stop))
def test_a_stopped_game_has_no_result_and_the_reason_is_named(
    tmp_path: Path, reason: Stop, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verified(tmp_path, replace(played(), actions=(), stopped=reason).to_text()) == 0
    assert re.search(r"The game has no result: [\w ]+\.", capsys.readouterr().out)


@pytest.mark.parametrize("digits", [1, 31, 33, 63])
def test_a_seal_that_was_cut_is_none(tmp_path: Path, digits: int, capsys: pytest.CaptureFixture[str]) -> None:
    text = played().to_text()
    assert verified(tmp_path, text.replace(seed_hash("5eed"), seed_hash("5eed")[:digits], 1)) == 2
    assert "line 1, column 6" in capsys.readouterr().err


def test_a_second_seal_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seals = f"seal {seed_hash('another')}\nseal {seed_hash('5eed')}\n"
    assert verified(tmp_path, seals + replace(played(), seal="").to_text()) == 2
    assert "line 2, column 1" in capsys.readouterr().err


def test_another_seed_than_the_sealed_one_does_not_hold(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verified(tmp_path, replace(played(), seal=seed_hash("another")).to_text()) == 1
    assert "not the one that was sealed" in capsys.readouterr().err


def test_another_deal_than_the_one_from_the_seed_does_not_hold(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = played()
    assert verified(tmp_path, replace(record, opening=replace(OPENING, salt="other")).to_text()) == 1
    assert "cannot have been played" in capsys.readouterr().err


def test_a_game_without_a_seal_does_not_hold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verified(tmp_path, replace(played(), seal="").to_text()) == 1
    assert "line 1, column 1: there is no seal" in capsys.readouterr().err


def test_an_illegal_move_is_named_with_line_and_column(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = Record(OPENING, ((2, Resign()), (2, Resign())), seed_hash("5eed"), ("a remark",)).to_text()
    assert verified(tmp_path, text) == 1
    assert "line 5, column 3: the game cannot have been played so" in capsys.readouterr().err


def test_a_game_that_is_not_over_does_not_hold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = played()
    assert verified(tmp_path, replace(record, actions=record.actions[:-1]).to_text()) == 1
    assert "the game is not over" in capsys.readouterr().err


def test_a_record_without_its_last_line_does_not_hold(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verified(tmp_path, "\n".join(played().to_text().splitlines()[:-1])) == 1
    assert "the record was cut off" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "column"),
    [
        ("players=2 dealer=0 seed=1 starters=9 rules:", 36),
        ("players=2 dealer=2 seed=1 rules:", 18),
        ("players=2 dealer=-1 seed=1 rules:", 18),
        ("players=2 dealer=0 seed=1 levels=6 rules:", 34),
        ("players=2 dealer=0 seed=1 levels=6,99 rules:", 34),
        ("players=2 dealer=0 seed=1 points=1,2,3 rules:", 34),
        ("players=2 dealer=0 seed=1 seed=2 rules:", 27),
        ("players=2 dealer=0 seed=1 colour=red rules:", 27),
        ("players=2 dealer=0 seed=1 points=1,x rules:", 36),
        (f"players={'9' * 6000} dealer=0 seed=1 rules:", 9),
    ],
)
def test_an_opening_that_cannot_be_is_named_with_its_column(
    tmp_path: Path, words: str, column: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verified(tmp_path, f"seal {seed_hash('1')}\n{words}\n") == 2
    error = capsys.readouterr().err
    assert f"line 2, column {column}:" in error
    assert len(error) < 1000


@pytest.mark.parametrize("setting", ["decks=999999999", "hand_size=999999999", "max_players=999999999"])
def test_rules_that_need_too_many_cards_are_not_dealt(
    tmp_path: Path, setting: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = f"seal {seed_hash('1')}\nplayers=2 dealer=0 seed=1 rules: {setting}\n0 resigns\n"
    assert verified(tmp_path, text) == 1
    assert "line 2, column 1: the game cannot have been dealt so" in capsys.readouterr().err


def test_a_seat_of_thousands_of_digits_is_no_seat(tmp_path: Path) -> None:
    assert verified(tmp_path, f"{OPENING}\n{'1' * 6000} T\n") == 2


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verified(tmp_path, "\n" * (MAX_FILE_BYTES + 1)) == 2
    assert "1,000,000 bytes" in capsys.readouterr().err


def test_a_record_that_went_through_windows_holds(tmp_path: Path) -> None:
    assert verified_bytes(tmp_path, played().to_text().replace("\n", "\r\n").encode("utf-8-sig")) == 0


def test_bytes_that_are_no_text_are_named_with_line_and_column(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verified_bytes(tmp_path, "# Ä\n# Ää".encode() + b"\xff\n") == 2
    assert "line 2, column 5: this is not UTF-8 text" in capsys.readouterr().err


def test_a_record_cannot_steer_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = Record(replace(OPENING, salt="\x1b[2J"), ((0, Resign()),), seed_hash("5eed")).to_text()
    assert verified(tmp_path, text) == 0
    assert "\x1b" not in capsys.readouterr().out


GAME = Record(
    OPENING, tuple((seat, move) for _, seat, move in random_game(OPENING, Random(10))), seed_hash("5eed")
)
LINES = GAME.to_text().splitlines()


def test_no_line_of_a_record_can_be_left_out_or_stand_twice(tmp_path: Path) -> None:
    assert verified(tmp_path, "\n".join(LINES)) == 0
    for number, line in enumerate(LINES):
        assert verified(tmp_path, "\n".join(LINES[:number] + LINES[number + 1 :])) != 0, line
        assert verified(tmp_path, "\n".join([*LINES[:number], line, *LINES[number:]])) != 0, line


PIECES = ["", "9", "-", "\x00", "\n", "=", " ", "seal ", "end ", "0 T\n", "²", "999999"]

tries = examples(150, HealthCheck.function_scoped_fixture)


@tries
@given(cut=st.integers(0, len(GAME.to_text()) - 2))
def test_a_record_that_was_cut_off_never_holds(tmp_path: Path, cut: int) -> None:
    assert verified(tmp_path, GAME.to_text()[:cut]) != 0


@tries
@given(content=st.binary(max_size=300))
def test_whatever_the_bytes_are_they_get_an_exit_code(tmp_path: Path, content: bytes) -> None:
    assert verified_bytes(tmp_path, content) == 2


@tries
@given(data=st.data())
def test_whatever_was_changed_in_a_record_it_gets_an_exit_code(tmp_path: Path, data: st.DataObject) -> None:
    changed = GAME.to_text()[:-1]
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(changed) - 1))
        piece = data.draw(
            st.sampled_from(["", "9", "-", "\x00", "\n", "=", " ", "seal ", "0 T\n", "²", "999999"])
        )
        changed = changed[:place] + piece + changed[place + data.draw(st.integers(0, 5)) :]

    assert verified(tmp_path, changed) in (0, 1, 2)


@pytest.mark.parametrize("text", ["", "# nothing else\n", "players=2\n", "end 0\n", "\x00"])
def test_what_is_no_record_is_named_with_line_and_column(
    tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verified(tmp_path, text) == 2
    assert "line 1, column 1" in capsys.readouterr().err


def test_an_unreadable_move_is_named_with_line_and_column(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verified(tmp_path, f"# a remark\n\n{OPENING}\n0 A 6S\n1 D 6S QQ\n") == 2
    assert "line 5, column 8" in capsys.readouterr().err


def test_a_file_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(tmp_path / "none.txt")]) == 2
    assert "none.txt" in capsys.readouterr().err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no disk that is always full")
def test_an_answer_that_cannot_be_written_is_no_verdict(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    for text in (played().to_text(), Record(OPENING).to_text()):
        file.write_text(text)
        with Path("/dev/full").open("w") as full:
            done = subprocess.run(
                [sys.executable, "-m", "engine", "verify", str(file)],
                cwd=Path(__file__).parents[2], stdout=full, stderr=subprocess.PIPE, text=True, check=False,
            )  # fmt: skip

        assert done.returncode == 2
        assert "Traceback" not in done.stderr
