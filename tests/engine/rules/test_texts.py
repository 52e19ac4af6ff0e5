"""Texts that cannot be read say where."""

import pytest

from engine import (
    Card,
    CardSet,
    InvalidText,
    Move,
    Opening,
    Record,
    Rules,
    State,
    parse_move,
)


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("", 1),
        ("Q", 1),
        ("A", 1),
        ("A 9H 1H", 6),
        ("D 9H", 1),
        ("D 9H XX", 6),
        ("L 1", 3),
        ("T 9H", 1),
        ("V  9X", 4),
    ],
)
def test_an_unreadable_move_names_the_column(text: str, column: int) -> None:
    with pytest.raises(InvalidText) as error:
        parse_move(text)
    assert error.value.column == column


def test_defend_text_names_the_attack_first() -> None:
    move = Move.parse("D 9H JH")
    assert str(move) == "D 9H JH"
    assert (str(getattr(move, "attack", "")), str(getattr(move, "card", ""))) == ("9H", "JH")


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("rules podkidnoy-36\ntrump X\n", 2, 7),
        ("rules podkidnoy-36\ntrump H\nhand 6S 1S\n", 3, 6),
        ("colour red\n", 1, 1),
        ("trump H\n", 1, 1),
    ],
)
def test_an_unreadable_position_names_line_and_column(text: str, line: int, column: int) -> None:
    with pytest.raises(InvalidText) as error:
        State.from_text(text)
    assert (error.value.line, error.value.column) == (line, column)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ("players=2 rules: ", 1),
        ("players=x dealer=0 seed=1 rules: ", 1),
        ("{opening}\n0 A 6S\n? T\n", 3),
        ("{opening}\n0 A 6X\n", 2),
    ],
)
def test_an_unreadable_record_names_the_line(text: str, line: int) -> None:
    with pytest.raises(InvalidText) as error:
        Record.from_text(text.replace("{opening}", str(Opening(Rules(), 2, "1"))))
    assert error.value.line == line


def test_a_seed_with_spaces_is_refused() -> None:
    with pytest.raises(ValueError, match="spaces"):
        Opening(Rules(), 2, "a seed")


def test_a_card_set_of_two_decks_holds_equal_cards() -> None:
    twins = CardSet.parse("9H 9H AS")
    nine = Card.parse("9H")
    assert (len(twins), twins.count(nine)) == (3, 2)
    assert str(twins) == "AS 9H 9H"
    assert twins.without(nine).without(nine) == CardSet.parse("AS")
    assert twins | CardSet([nine]) == CardSet.parse("9H 9H 9H AS")
