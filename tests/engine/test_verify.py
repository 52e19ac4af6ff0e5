"""`python -m engine verify FILE`: anybody can check a game without the bot."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from engine import PRESETS, Opening, Record, Resign, seed_hash
from engine.__main__ import main
from tests.engine.rules.games import random_game

OPENING = Opening(PRESETS["perevodnoy"], 3, "5eed", "11.12.13")


def played() -> Record:
    record = Record(OPENING, seal=seed_hash("5eed"), remarks=("seat 0: Anna",))
    for _, seat, move in random_game(OPENING, Random(1)):
        record = record.plus(seat, move)
    return record


def verified(tmp_path: Path, text: str) -> int:
    file = tmp_path / "record.txt"
    file.write_text(text, encoding="utf-8")
    return main(["verify", str(file)])


def test_a_game_as_it_was_played_holds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verified(tmp_path, played().to_text()) == 0
    said = capsys.readouterr().out
    assert seed_hash("5eed") in said
    assert " ".join(map(str, OPENING.deck)) in said
    assert "moves are legal" in said


def test_the_beginning_of_a_seal_is_enough(tmp_path: Path) -> None:
    assert verified(tmp_path, replace(played(), seal=seed_hash("5eed")[:32]).to_text()) == 0


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


def test_a_game_without_a_seal_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = Record(OPENING, ((0, Resign()),))
    assert verified(tmp_path, record.to_text()) == 0
    said = capsys.readouterr().out
    assert "no seal" in said
    assert "Lost by seat 0" in said


@pytest.mark.parametrize("text", ["", "seal abc\n# nothing else\n", "players=2\n", "\x00"])
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
