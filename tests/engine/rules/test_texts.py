"""A text that cannot be read is reported with its place."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import (
    PRESETS,
    Card,
    CardSet,
    InvalidTextError,
    Move,
    Opening,
    Pair,
    Problem,
    Record,
    Resign,
    Rules,
    SealCheck,
    State,
    Stop,
    cards_needed_for,
    parse_action,
    seed_hash,
    verify,
)
from tests.engine.rules.games import changed
from tests.examples import examples


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
    with pytest.raises(InvalidTextError) as error:
        Move.parse(text)
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
    with pytest.raises(InvalidTextError) as error:
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
        ("{opening}\nstopped by nobody\n", 2),
        ("{opening}\nstopped by agreement\n0 T\n", 3),
        ("{opening}\nstopped by agreement\nstopped by moderator\n", 3),
    ],
)
def test_an_unreadable_record_names_the_line(text: str, line: int) -> None:
    with pytest.raises(InvalidTextError) as error:
        Record.from_text(text.replace("{opening}", str(Opening(Rules(), 2, "1"))))
    assert error.value.line == line


def test_a_seed_with_spaces_is_refused() -> None:
    with pytest.raises(ValueError, match="spaces"):
        Opening(Rules(), 2, "a seed")


EPAULETTES = Rules(epaulettes="score", winner="first_out")


def test_an_opening_with_everything_in_it_comes_back() -> None:
    opening = Opening(
        EPAULETTES, 3, "4f2a", "room-9", 1, starters=(0, 2), levels=(6, 8, 6), points=(0, -2, 1)
    )
    assert str(opening) == (
        "players=3 dealer=1 seed=4f2a salt=room-9 starters=0,2 levels=6,8,6 points=0,-2,1 "
        "edition=2 shuffle=2 rules: podkidnoy-36 winner=first_out epaulettes=score"
    )
    assert Opening.from_text(str(opening)) == opening


def test_an_opening_that_names_an_unknown_setting_says_where() -> None:
    with pytest.raises(InvalidTextError, match="no setting “colour”") as error:
        Opening.from_text("players=2 dealer=0 seed=1 rules: colour=red")
    assert error.value.column >= len("players=2 dealer=0 seed=1 rules:")


def test_a_record_keeps_its_seal_and_what_people_remarked() -> None:
    opening = Opening(Rules(), 2, "4f2a")
    record = Record(opening, seal=seed_hash("4f2a"), remarks=("Ann (0) and Bob (1)",))
    assert record.to_text() == f"seal {seed_hash('4f2a')}\n# Ann (0) and Bob (1)\n{opening}\nend 0\n"
    assert Record.from_text(record.to_text()) == record
    assert verify(record).seal is SealCheck.WHOLE
    assert verify(Record(opening)).seal is SealCheck.MISSING
    assert verify(Record(opening, seal=seed_hash("another"))).seal is SealCheck.BROKEN


@pytest.mark.parametrize("stopped", Stop)
def test_a_record_says_who_stopped_its_game(stopped: Stop) -> None:
    record = Record(Opening(Rules(), 2, "4f2a"), stopped=stopped)
    assert record.to_text().splitlines()[1:] == [f"stopped by {stopped}", "end 0"]
    assert Record.from_text(record.to_text()) == record


def test_empty_lines_of_a_record_and_of_a_position_mean_nothing() -> None:
    record = Record(Opening(Rules(), 2, "1"))
    assert Record.from_text(record.to_text() + "\n\n") == record
    position = record.replay()
    assert State.from_text(position.to_text().replace("\n", "\n\n")) == position


@pytest.mark.parametrize(
    ("defender", "answer"), [("7S 8D", "T"), ("7S 8D", "D 6S 7S"), ("7S", "D 6S 7S")], ids=str
)
def test_a_position_comes_back_with_its_outcome(defender: str, answer: str) -> None:
    state = State.setup(EPAULETTES, hands=["6S", defender, ""], talon="", trump="H", attacker=0)
    state = state.apply(0, Move.parse("A 6S")).state.apply(1, Move.parse(answer)).state
    assert state.outcome() is not None
    assert State.from_text(state.to_text()) == state


def test_a_shown_trump_comes_back() -> None:
    rules = Rules(transfer=True, transfer_by_showing_trump=True)
    state = State.setup(rules, hands=["6S 9D", "6H 8D", "7S 8S"], talon="", trump="H", attacker=0)
    for seat, text in ((0, "A 6S"), (1, "V 6H")):
        state = state.apply(seat, Move.parse(text)).state

    assert state.shown_trumps
    assert State.from_text(state.to_text()) == state


@pytest.mark.parametrize(
    "line",
    ["attacker 9", "defender -1", "out 2", "bout 6S@7", "known 5:6S", "levels 6", "chairs 1", "chairs 0 9"],
)
def test_a_position_names_no_seat_that_is_not_there(line: str) -> None:
    text = "rules podkidnoy-36\ntrump H\nhand 6S\nhand 7S\nattacker 0\ndefender 1\n"
    with pytest.raises(InvalidTextError):
        State.from_text(f"{text}{line}\n")


@pytest.mark.parametrize("word", ["seed", "salt", "contributions"])
def test_an_opening_that_no_file_could_hold_is_refused(word: str) -> None:
    with pytest.raises(InvalidTextError):
        Opening.from_text(f"players=2 dealer=0 seed=1 {word}=\ud800 rules:".replace("seed=1 seed", "seed"))


STRANGE = st.text(max_size=12) | st.sampled_from(
    ["9" * 5000, "٣", "²", "\ud800", "=", " ", "\n", "-1", "rules:"]
)


@examples(300)
@given(st.data())
def test_whatever_is_read_is_understood_or_refused_with_its_place(data: st.DataObject) -> None:
    opening = Opening(PRESETS["classic"], 3, "4f2a", dealer=1, starters=(0, 2))
    record = Record(opening, seal=seed_hash("4f2a"), actions=((0, Resign()),))
    for read, text in (
        (Opening.from_text, str(opening)),
        (Record.from_text, record.to_text()),
        (State.from_text, opening.deal().to_text()),
    ):
        begin = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(begin, min(len(text), begin + 12)))
        with suppress(InvalidTextError):
            read(text[:begin] + data.draw(STRANGE) + text[end:])


# --- a position finds its own faults: every invariant, broken once ----------------------------------------


HANDS = ["6S 7S 8S", "6D 7D 8D", "6C 7C 8C"]
SOUND = State.setup(Rules(), hands=HANDS, talon="9S 9H", trump="H", attacker=0)
ATTACKED = SOUND.apply(0, Move.parse("A 6S")).state
ENDGAME = State.setup(Rules(), hands=["6S", "7S 8S", ""], talon="", trump="H", attacker=0)


def hands(*texts: str) -> dict[str, Any]:
    """Returns the hands of a position."""
    return {"hands": tuple(map(CardSet.parse, texts))}


def bout(*pairs: str) -> dict[str, Any]:
    """Returns a bout of pairs such as `6S/7S`, laid by seat 0."""
    laid = list[Pair]()
    for pair in pairs:
        attack, _, beat = pair.partition("/")
        beating = Card.parse(beat) if beat else None
        laid.append(Pair(Card.parse(attack), beating, 0))

    return {"bout": tuple(laid)}


@pytest.mark.parametrize(
    ("state", "facts", "problem"),
    [
        (SOUND, hands("6S 7S 8S", "6D 7D 8D 6S", "6C 7C 8C"), Problem.CARD_TWICE),
        (SOUND, hands("6S 7S", "6D 7D 8D", "6C 7C 8C"), Problem.CARD_MISSING),
        (SOUND, hands("6S 7S 8S 2H", "6D 7D 8D", "6C 7C 8C"), Problem.FOREIGN_CARD),
        (SOUND, {"defender": 0}, Problem.BAD_ROLES),
        (ENDGAME, {"defender": 2}, Problem.BAD_ROLES),
        (ENDGAME, {"attacker": 2}, Problem.BAD_ROLES),
        (SOUND, {"out": (2,)}, Problem.OUT_WITH_CARDS),
        (ENDGAME, {"out": ()}, Problem.IN_WITHOUT_CARDS),
        (ATTACKED, bout("6S/6D"), Problem.DOES_NOT_BEAT),
        (ATTACKED, bout("6S", "7S"), Problem.STRANGE_RANK),
        (ATTACKED, {"rules": Rules(attack_limit=1), **bout("6S", "6D")}, Problem.TOO_MANY_ATTACKS),
        (ATTACKED, bout("6S", "6D", "6C", "6H"), Problem.TOO_MANY_ATTACKS),
        (SOUND, {"talon": tuple(reversed(SOUND.talon))}, Problem.TURN_UP_MISPLACED),
        (SOUND, {"seen_cards": ((0, Card.parse("9H")),)}, Problem.SEEN_CARD_NOT_HELD),
        (ATTACKED, {"taking": True, "declined": frozenset({0, 2})}, Problem.BOUT_NOT_SETTLED),
        (ATTACKED, {"taking": True, "declined": frozenset({0, 2})}, Problem.NOBODY_AWAITED),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_broken_position_says_what_is_broken(state: State, facts: dict[str, Any], problem: Problem) -> None:
    assert state.problems() == Problem.NONE
    broken = changed(state, **facts)
    assert problem in broken.problems()


def test_a_wrong_card_more_is_not_a_card_missing() -> None:
    broken = changed(SOUND, **hands("6S 7S 8S 2H", "6D 7D 8D", "6C 7C 8C"))
    assert broken.problems() == Problem.FOREIGN_CARD | Problem.CARD_TWICE


def test_after_an_unlimited_transfer_more_may_lie_than_can_be_beaten() -> None:
    rules = Rules(transfer=True, transfer_limit_by_hand=False)
    state = State.setup(rules, hands=["6S 9D", "6D 9C", "7C"], talon="", trump="H", attacker=0)
    for seat, text in ((0, "A 6S"), (1, "X 6D")):
        state = state.apply(seat, Move.parse(text)).state

    assert len(state.unbeaten) > len(state.hands[state.defender])
    assert not state.problems()


TEXTS = st.text(max_size=20) | st.lists(
    st.sampled_from(
        ["A", "D", "L", "6S", "9H", "rules", "deck=36", "deck", "=", "\x00", "\ud800", "9" * 5000, " "]
    )
).map(" ".join)


@examples(300)
@given(TEXTS)
def test_a_word_is_understood_or_refused_with_its_place(text: str) -> None:
    for read in (Move.parse, parse_action, Card.parse, CardSet.parse, Rules.from_text, Record.from_text):
        with suppress(InvalidTextError):
            read(text)
    with suppress(InvalidTextError):
        Rules().with_options([text])


@pytest.mark.parametrize(
    ("move", "cards"),
    [("A 9S 9H", "9S 9H"), ("D 9H JH", "JH"), ("X 9S", "9S"), ("V 9D", "9D"), ("T", ""), ("C 9S", "")],
)
def test_a_move_needs_the_cards_that_it_plays_or_shows(move: str, cards: str) -> None:
    assert [str(card) for card in cards_needed_for(Move.parse(move))] == cards.split()
