"""The check for leaks can fail."""

from engine import Opening, Rules
from tests.e2e.chats import Read
from tests.e2e.knowledge import leaks
from tests.e2e.record import Game, Line

OPENING = Opening(Rules(), 2, "5eed")
GAME = Game([Line(1, 1, None, OPENING.to_text(), None, at=100.0)], ["Anna", "Boris"])
SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def shown(card: object) -> str:
    rank, suit = tuple(str(card))
    return f"{'10' if rank == 'T' else rank}{SIGNS[suit]}"


def test_ones_own_cards_and_the_turn_up_are_no_leak() -> None:
    state = OPENING.deal()
    own = " ".join(shown(card) for card in state.hands[0])
    assert not leaks(GAME, 0, [Read(101.0, f"{own} {shown(state.turn_up)}")])


def test_another_hand_is_a_leak_in_words_and_in_a_token() -> None:
    card = next(iter(OPENING.deal().hands[1]))
    assert leaks(GAME, 0, [Read(101.0, f"psst: {shown(card)}")])
    assert leaks(GAME, 0, [Read(101.0, f'"m:1:1:A {card}"')])
    assert leaks(GAME, None, [Read(101.0, shown(card))])
    assert not leaks(GAME, 1, [Read(101.0, shown(card))])


def test_another_hand_is_a_leak_on_a_board() -> None:
    card, own = (next(iter(OPENING.deal().hands[seat])) for seat in (1, 0))
    assert leaks(GAME, 0, [Read(101.0, f'{{"cards":["{own}","{card}"]}}')])
    assert leaks(GAME, 0, [Read(101.0, f'{{"turn_up":"{card}"}}')])
    assert not leaks(GAME, 0, [Read(101.0, f'{{"cards":["{own}"],"name":"{card}x"}}')])


def test_a_card_of_the_talon_and_the_seed_are_leaks() -> None:
    assert leaks(GAME, 0, [Read(101.0, shown(OPENING.deal().talon[0]))])
    assert leaks(GAME, 0, [Read(101.0, "the seed is 5eed")])


def test_a_hand_shown_before_the_deal_was_on_record_is_a_leak() -> None:
    card = next(iter(OPENING.deal().hands[0]))
    assert leaks(GAME, 0, [Read(99.0, shown(card))])
