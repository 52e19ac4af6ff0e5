"""The deal (chapters 2 and 3): a checkable shuffle, the cards in turn, the right to a new deal."""

from collections import Counter
from hashlib import sha256

import pytest

from engine import (
    EDITION,
    PRESETS,
    Card,
    CardSet,
    IllegalMoveError,
    InvalidTextError,
    Kept,
    Match,
    Move,
    Opening,
    Reason,
    Redealt,
    Rules,
    State,
    deck_order,
    seed_hash,
    short_seal,
)
from engine.rules import deal
from tests.engine.rules.games import changed


def test_the_order_of_a_deck_never_changes() -> None:
    """Covers rule 2.9."""
    order = deck_order(Rules(), 2, "seed", "salt")
    assert " ".join(map(str, order[:6])) == "9C 6H QH 9D AC 9S"
    assert CardSet(order) == CardSet(Rules().cards(2))


def test_seed_and_salt_both_change_the_order() -> None:
    orders = {deck_order(Rules(), 2, *words) for words in (("a", ""), ("b", ""), ("a", "b"))}
    assert len(orders) == 3


def test_the_first_card_is_each_card_equally_often() -> None:
    firsts = Counter(deck_order(Rules(deck=24), 2, str(seed))[0] for seed in range(2400))
    assert len(firsts) == 24
    assert all(60 < count < 145 for count in firsts.values())


def test_the_posted_hash_is_that_of_the_seed() -> None:
    assert seed_hash("seed") == sha256(b"seed").hexdigest()


def test_the_seal_is_half_of_the_hash() -> None:
    assert short_seal("seed") == sha256(b"seed").hexdigest()[:32]


def test_cards_are_dealt_one_at_a_time_from_the_dealers_left() -> None:
    """Covers rules 2.5 and 2.6."""
    deck = Rules().cards(3)
    state = State.deal(Rules(), 3, deck, dealer=1)
    assert [str(state.hands[2]), str(state.hands[0]), str(state.hands[1])] == [
        str(CardSet(deck[start:18:3])) for start in range(3)
    ]
    assert state.turn_up is deck[18]
    assert state.talon == (*deck[19:], deck[18])


def test_a_hand_of_one_suit_gives_the_right_to_a_new_deal() -> None:
    """Covers rule 2.10."""
    rules = PRESETS["wikipedia-de"]
    state = State.setup(
        rules, hands=["6S 7S 8S 9S TS 6D", "7H 8D 9D TD JD QD"], talon="6C 7C 8C 6H", trump="H", attacker=1
    )
    assert Move.parse("R") in state.legal_moves(0)
    assert Move.parse("R") not in state.legal_moves(1)  # five diamonds, but a trump
    attacked = state.apply(1, Move.parse("A 8D")).state
    assert Move.parse("R") not in attacked.legal_moves(0)


def test_a_whole_hand_of_one_suit_gives_the_right_to_a_new_deal_as_well() -> None:
    """Covers rule 2.10."""
    hands = ["6S 7S 8S 9S TS JS", "7H 8D 9D TD JD QD"]
    state = State.setup(Rules(redeal_same_suit=5), hands=hands, talon="6C 6H", trump="H", attacker=0)
    assert Move.parse("R") in state.legal_moves(0)


def test_a_new_deal_follows_from_the_old_one() -> None:
    rules = PRESETS["wikipedia-de"]
    for seed in range(2000):
        state = Opening(rules, 4, str(seed), dealer=1).deal()
        asking = [seat for seat in range(4) if Move.parse("R") in state.legal_moves(seat)]
        if asking:
            break

    step = state.apply(asking[0], Move.parse("R"))
    assert step.events == (Redealt(asking[0]),)
    assert step.state.hands != state.hands
    assert step.state.dealer == 1
    assert step == state.apply(asking[0], Move.parse("R"))


NEW_DEALS = Rules(redeal_same_suit=5)
KEEP = Move.parse("K")
ANEW = Move.parse("R")


def dealt_with_a_right(players: int, *, edition: int = EDITION) -> tuple[State, int]:
    """Returns a deal in which a player may ask for a new one, and that player."""
    for seed in range(2000):
        state = Opening(NEW_DEALS, players, str(seed), edition=edition).deal()
        for seat in range(players):
            if ANEW in state.legal_moves(seat):
                return state, seat

    raise AssertionError


def reason(state: State, seat: int, move: str) -> Reason:
    with pytest.raises(IllegalMoveError) as refused:
        state.apply(seat, Move.parse(move))
    return refused.value.reason


def test_everybody_may_keep_the_cards_before_the_first_attack() -> None:
    """Covers rule 2.11."""
    state, entitled = dealt_with_a_right(3)
    attack = str(changed(state, undecided=frozenset()).legal_moves(state.attacker)[0])
    assert state.awaited == state.actors == state.public_view().undecided == {0, 1, 2}

    for seat in range(3):
        assert state.legal_moves(seat) == ((KEEP, ANEW) if seat == entitled else (KEEP,))
        early = attack if seat == state.attacker else "P"
        assert reason(state, seat, early) is Reason.NOT_ALL_KEPT

    for seat in range(3):
        step = state.apply(seat, KEEP)
        assert step.events == (Kept(seat),)
        assert reason(step.state, seat, "K") is Reason.KEPT_ALREADY
        state = step.state

    assert state.actors == {state.attacker}
    assert reason(state, entitled, "R") is Reason.NO_REDEAL
    assert Move.parse(attack) in state.legal_moves(state.attacker)


def test_who_has_no_right_to_a_new_deal_may_not_ask_for_one() -> None:
    """Covers rule 2.10."""
    state, entitled = dealt_with_a_right(3)
    other = (entitled + 1) % 3
    assert reason(state, other, "R") is Reason.NO_REDEAL
    assert reason(state.apply(entitled, KEEP).state, entitled, "R") is Reason.KEPT_ALREADY


def test_after_a_new_deal_everybody_is_asked_again() -> None:
    """Covers rule 2.12."""
    state, entitled = dealt_with_a_right(3)
    kept = state.apply((entitled + 1) % 3, KEEP).state
    assert kept.apply(entitled, ANEW).state.undecided == {0, 1, 2}


def test_nobody_is_asked_where_no_hand_can_give_the_right() -> None:
    """Covers rule 2.11."""
    for rules in (Rules(), Rules(redeal_same_suit=7)):
        state = Opening(rules, 2, "any").deal()
        assert not state.undecided
        assert state.actors == {state.attacker}
        assert reason(state, 0, "K") in (Reason.REDEAL_OFF, Reason.KEPT_ALREADY)


def test_games_of_the_first_edition_go_on_without_asking() -> None:
    """Covers rule 2.13."""
    state, entitled = dealt_with_a_right(3, edition=1)
    assert state.awaited == {state.attacker}
    anew = state.apply(entitled, ANEW).state
    assert not anew.undecided
    attacked = state.apply(state.attacker, state.legal_moves(state.attacker)[0]).state
    assert ANEW not in attacked.legal_moves(entitled)


def test_a_record_without_an_edition_is_of_the_first() -> None:
    text = "players=3 dealer=0 seed=x rules: podkidnoy-36 redeal_same_suit=5"
    assert Opening.from_text(text).edition == 1
    assert str(Opening.from_text(text)) == text
    new = Match.begin(NEW_DEALS, 3).opening("x")
    assert new.edition == EDITION
    assert Opening.from_text(str(new)) == new
    for edition in (0, 4):
        with pytest.raises(InvalidTextError, match="edition can be from 1 to 3"):
            Opening.from_text(text.replace("seed=x", f"seed=x edition={edition}"))


def test_games_of_the_third_edition_stay_the_same_under_a_newer_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Covers rule 8.6."""
    opening = Opening(NEW_DEALS.with_options(["lay_away_four=on"]), 3, "x", edition=deal.ASIDES_EDITION)
    before = opening.deal().to_text()
    monkeypatch.setattr(deal, "EDITION", deal.EDITION + 1)
    assert opening.deal().to_text() == before


def test_without_a_trump_the_fallback_decides() -> None:
    """Covers rule 3.3."""
    deck = [card for card in Rules(deck=24).cards(2) if str(card) not in ("AS", "9D", "9H")]
    order = [*(card for card in Rules(deck=24).cards(2) if str(card) in ("AS", "9D"))]
    hearts = [card for card in Rules(deck=24).cards(2) if str(card) == "9H"]

    for fallback, attacker in (("left_of_dealer", 0), ("lowest_card", 1)):
        rules = Rules(deck=24, hand_size=1).with_options([f"no_trump_fallback={fallback}"])
        assert State.deal(rules, 2, [*order, *hearts, *deck], dealer=1).attacker == attacker

    rules = Rules(deck=24, hand_size=1, no_trump_fallback="redeal")
    state = State.deal(rules, 2, [*order, *hearts, *deck], dealer=1)
    assert any(hand.of_suit(state.trump) for hand in state.hands)


def test_a_new_deal_has_the_card_again_that_was_turned_up_and_removed() -> None:
    """Covers rule 2.10."""
    rules = Rules(deck=24, hand_size=1, turn_up="removed", no_trump_fallback="redeal")
    cards = rules.cards(2)
    without_trumps = [Card.parse(text) for text in ("AS", "9D", "9H")]
    rest = [card for card in cards if card not in without_trumps]

    state = State.deal(rules, 2, [*without_trumps, *rest], dealer=1)
    assert state.turn_up is not None
    assert state.cards.plus(state.turn_up) == CardSet(cards)
    assert any(hand.of_suit(state.trump) for hand in state.hands)


def test_a_position_can_be_set_up_from_cards_as_well_as_from_texts() -> None:
    nine = Card.parse("9S")
    parts = State.setup(Rules(), hands=[[nine, "TS"], "8D 9D"], talon=["KS", "AH"], trump="H", attacker=0)
    assert parts == State.setup(Rules(), hands=["9S TS", "8D 9D"], talon="KS AH", trump="H", attacker=0)


def test_a_position_without_an_opponent_is_refused() -> None:
    with pytest.raises(ValueError, match="no opponent is left"):
        State.setup(Rules(), hands=["9S TS", ""], talon="", trump="H", attacker=0)
