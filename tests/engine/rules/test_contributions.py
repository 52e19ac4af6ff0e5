"""What the players' own devices give to a shuffle, and what the shuffle covers."""

from dataclasses import replace
from hashlib import sha256

import pytest

from engine import (
    Contribution,
    InvalidTextError,
    Match,
    Opening,
    Record,
    Resign,
    Rules,
    commitment_to,
    verify,
)
from engine.rules.deal import deck_order, seed_hash

ONE, OTHER = "1" * 64, "2" * 64


def given(value: str) -> Contribution:
    return Contribution(commitment_to(value), value)


OPENING = Opening(
    Rules(),
    4,
    "5eed",
    "trace",
    shuffle=2,
    contributions=(
        given(ONE),
        Contribution(is_house=True),
        Contribution(),
        Contribution(commitment_to(OTHER)),
    ),
)


def test_a_commitment_is_the_hash_of_the_digits() -> None:
    assert commitment_to(ONE) == sha256(b"1" * 64).hexdigest()


def test_contributions_come_back_from_the_text() -> None:
    text = f"contributions={commitment_to(ONE)}:{ONE},house,-,{commitment_to(OTHER)} "
    assert text in str(OPENING)
    assert Opening.from_text(str(OPENING)) == OPENING


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("x,-", 57),
        ("-,house,x", 65),
        (f"-,{ONE[1:]}", 59),
        (f"{ONE}:,-", 57),
        (f"{ONE}:{OTHER}0,-", 57),
        ("-", 57),
        ("-,-,-", 57),
    ],
)
def test_unreadable_contributions_say_where(text: str, column: int) -> None:
    with pytest.raises(InvalidTextError) as error:
        Opening.from_text(f"players=2 dealer=0 seed=4f2a9 shuffle=2   contributions={text} rules:")
    assert error.value.column == column


def test_a_shuffle_of_another_version_is_not_read() -> None:
    with pytest.raises(InvalidTextError, match="shuffle"):
        Opening.from_text("players=2 dealer=0 seed=1 shuffle=3 rules:")


def test_the_salt_of_the_shuffle_is_the_line_without_its_seed() -> None:
    line = str(OPENING).replace("seed=5eed ", "")
    assert OPENING.deck == deck_order(Rules(), 4, "5eed", line)


def test_an_opening_of_an_earlier_version_is_dealt_as_it_was() -> None:
    opening = Opening.from_text("players=2 dealer=0 seed=5eed salt=room-9 starters=1 rules: podkidnoy-36")
    assert opening.deck == deck_order(Rules(), 2, "5eed", "room-9")


def test_a_shuffle_of_this_version_stays_what_it_is_for_ever() -> None:
    line = (
        "players=2 dealer=1 seed=5eed salt=t starters=0 shuffle=2 "
        f"contributions=house,{given(ONE)} rules: podkidnoy-36 transfer=on"
    )
    opening = Opening.from_text(line)
    assert str(opening) == line
    assert " ".join(map(str, opening.deck[:12])) == "QS KD 9C KS QD QH AS 8S 6C 9D QC 8H"


def test_everything_that_is_chosen_before_a_deal_changes_the_whole_deck() -> None:
    others = [
        replace(OPENING, dealer=1),
        replace(OPENING, starters=(2,)),
        replace(OPENING, points=(1, 0, 0, 0)),
        replace(OPENING, levels=(6, 7, 6, 6)),
        replace(OPENING, salt="another"),
        replace(OPENING, rules=Rules(attack_limit=5)),
        replace(OPENING, contributions=()),
        replace(OPENING, contributions=(given(OTHER), *OPENING.contributions[1:])),
        replace(OPENING, contributions=(*OPENING.contributions[:3], given(OTHER))),
        replace(OPENING, contributions=OPENING.contributions[::-1]),
    ]
    assert len({opening.deck for opening in [OPENING, *others]}) == len(others) + 1


def test_a_match_seals_everything_in_its_first_game_and_in_every_other() -> None:
    match = Match.begin(Rules(), 2)
    outcome = match.opening("1").deal().act(0, Resign()).state.outcome()
    assert outcome is not None
    assert {match.opening("1").shuffle, match.after(outcome).opening("1").shuffle} == {2}


def test_the_terms_tell_everything_but_the_seed_and_the_values() -> None:
    terms = OPENING.terms
    assert f" seal={seed_hash('5eed')} " in terms
    assert "5eed " not in terms
    assert ONE not in terms
    assert all(each.commitment in terms for each in OPENING.contributions)


def test_a_value_that_nobody_committed_to_is_found() -> None:
    false = replace(OPENING, contributions=(Contribution(ONE, ONE), *OPENING.contributions[1:]))
    record = Record(false, ((0, Resign()),), seed_hash("5eed"))
    assert verify(record).false == (0,)
    assert not verify(record).holds
    assert verify(replace(record, opening=OPENING)).holds


@pytest.mark.parametrize(
    ("contribution", "facts"),
    [
        (given(ONE), {"is_revealed"}),
        (Contribution(commitment_to(ONE)), {"is_withheld"}),
        (Contribution(), {"is_missing"}),
        (Contribution(is_house=True), set()),
    ],
)
def test_a_seat_gave_its_value_withheld_it_or_gave_nothing(
    contribution: Contribution, facts: set[str]
) -> None:
    all_facts = ("is_revealed", "is_withheld", "is_missing")
    assert {fact for fact in all_facts if getattr(contribution, fact)} == facts
