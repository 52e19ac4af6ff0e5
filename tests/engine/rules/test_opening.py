"""Shuffles and their seals, and openings of earlier versions."""

from dataclasses import replace
from hashlib import sha256

import pytest

from engine import InvalidTextError, Match, Opening, Resign, Rules
from engine.rules.deal import deck_order

OPENING = Opening(Rules(), 4, "5eed", "trace", shuffle=2)


def test_a_shuffle_of_another_version_is_not_read() -> None:
    with pytest.raises(InvalidTextError, match="shuffle"):
        Opening.from_text("players=2 dealer=0 seed=1 shuffle=3 rules:")


def test_the_salt_of_the_shuffle_is_the_line_without_its_seed() -> None:
    line = str(OPENING).replace("seed=5eed ", "")
    assert OPENING.deck == deck_order(Rules(), 4, "5eed", line)


def test_an_opening_of_an_earlier_version_is_dealt_as_it_was() -> None:
    opening = Opening.from_text("players=2 dealer=0 seed=5eed salt=room-9 starters=1 rules: podkidnoy-36")
    assert opening.deck == deck_order(Rules(), 2, "5eed", "room-9")


def test_what_browsers_gave_to_a_shuffle_of_an_earlier_version_still_counts() -> None:
    value = "1" * 64
    digest = sha256(value.encode()).hexdigest()
    line = (
        "players=2 dealer=1 seed=5eed salt=t starters=0 shuffle=2 "
        f"contributions=house,{digest}:{value} rules: podkidnoy-36 transfer=on"
    )
    opening = Opening.from_text(line)
    assert str(opening) == line
    assert " ".join(map(str, opening.deck[:12])) == "QS KD 9C KS QD QH AS 8S 6C 9D QC 8H"


def test_a_shuffle_of_this_version_stays_what_it_is_for_ever() -> None:
    line = "players=2 dealer=1 seed=5eed salt=t starters=0 shuffle=2 rules: podkidnoy-36 transfer=on"
    opening = Opening.from_text(line)
    assert str(opening) == line
    assert " ".join(map(str, opening.deck[:12])) == "TC 7C JS 8D 6S QH KS 6H AC 9C KH 9S"


def test_everything_that_is_chosen_before_a_deal_changes_the_whole_deck() -> None:
    others = [
        replace(OPENING, dealer=1),
        replace(OPENING, starters=(2,)),
        replace(OPENING, points=(1, 0, 0, 0)),
        replace(OPENING, levels=(6, 7, 6, 6)),
        replace(OPENING, salt="another"),
        replace(OPENING, rules=Rules(attack_limit=5)),
    ]
    assert len({opening.deck for opening in [OPENING, *others]}) == len(others) + 1


def test_a_match_seals_everything_in_its_first_game_and_in_every_other() -> None:
    match = Match.begin(Rules(), 2)
    outcome = match.opening("1").deal().act(0, Resign()).state.outcome()
    assert outcome is not None
    assert {match.opening("1").shuffle, match.after(outcome).opening("1").shuffle} == {2}
