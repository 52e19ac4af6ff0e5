"""Texts that cannot be read say where, and refused moves say why."""

import pytest

from engine import (
    PRESETS,
    Card,
    CardSet,
    IllegalMove,
    InvalidText,
    Move,
    Opening,
    Reason,
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


def refused(state: State, seat: int, text: str) -> Reason:
    with pytest.raises(IllegalMove) as error:
        state.apply(seat, Move.parse(text))
    assert error.value.move == text
    assert State.from_text(error.value.position) == state
    return error.value.reason


PODKIDNOY = PRESETS["podkidnoy-36"]
START = State.setup(
    PODKIDNOY,
    hands=["6S 7D KD", "7S 8D QD", "6C AD", ""],
    talon="",
    trump="H",
    attacker=0,
    out=[3],
    discard="AS",
)
REFUSALS = [
    ("", 3, "A 6S", Reason.OUT_OF_GAME),
    ("", 9, "A 6S", Reason.NO_SUCH_SEAT),
    ("", 1, "A 7S", Reason.NOT_ATTACKER),
    ("", 0, "A 9S", Reason.NOT_IN_HAND),
    ("", 0, "A 6S 7D", Reason.OPENING_ONE_CARD),
    ("", 0, "P", Reason.NOTHING_TO_DECLINE),
    ("", 1, "T", Reason.NOTHING_TO_TAKE),
    ("", 0, "E", Reason.EXCHANGE_OFF),
    ("", 0, "R", Reason.REDEAL_OFF),
    ("", 0, "L 8", Reason.LAY_AWAY_OFF),
    ("0 A 6S", 1, "A 7S", Reason.DEFENDER_CANNOT_ATTACK),
    ("0 A 6S", 2, "A 6C", Reason.TOO_EARLY),
    ("0 A 6S", 2, "D 6S AD", Reason.NOT_DEFENDER),
    ("0 A 6S", 2, "T", Reason.NOT_DEFENDER),
    ("0 A 6S", 1, "D 6S 8D", Reason.DOES_NOT_BEAT),
    ("0 A 6S", 1, "D 6C 8D", Reason.NO_SUCH_ATTACK),
    ("0 A 6S", 1, "D 6S AS", Reason.NOT_IN_HAND),
    ("0 A 6S", 1, "X 6C", Reason.TRANSFER_OFF),
    ("0 A 6S, 1 D 6S 7S", 0, "A KD", Reason.RANK_NOT_ON_TABLE),
    ("0 A 6S, 1 D 6S 7S, 0 P", 0, "A 7D", Reason.ALREADY_DONE),
    ("0 A 6S, 1 D 6S 7S, 0 P", 0, "P", Reason.ALREADY_DONE),
    ("0 A 6S, 1 D 6S 7S", 1, "T", Reason.NOTHING_TO_TAKE),
    ("0 A 6S, 1 T", 1, "T", Reason.ALREADY_TAKING),
]


@pytest.mark.parametrize(("before", "seat", "text", "reason"), REFUSALS)
def test_a_refused_move_says_why_and_changes_nothing(
    before: str, seat: int, text: str, reason: Reason
) -> None:
    state = START
    for words in filter(None, before.split(", ")):
        state = state.apply(int(words[0]), Move.parse(words[2:])).state
    assert refused(state, seat, text) is reason
