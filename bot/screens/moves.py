"""What a move is called on its button."""

from collections.abc import Mapping, Sequence
from itertools import groupby

from adapters.port import Tone
from bot.locale import Translator, gettext_noop
from bot.screens.words import card_text, cards_text, rank_text
from engine import (
    Attack,
    Card,
    Defend,
    Done,
    Exchange,
    Keep,
    LayAway,
    Move,
    PublicView,
    Rank,
    Redeal,
    SeatView,
    ShowTrump,
    Take,
    Transfer,
)

_WITHOUT_CARDS: Mapping[Move, str] = {
    Take(): gettext_noop("Take"),
    Exchange(): gettext_noop("Swap my low trump"),
    Keep(): gettext_noop("Keep my cards"),
    Redeal(): gettext_noop("New deal"),
}


def move_label(move: Move, view: PublicView, translator: Translator) -> str:
    """Name a move for the seat that may make it."""
    match move:
        case Done():
            return translator.text("Done") if _is_all_beaten(view) else translator.text("Pass")
        case Attack(cards):
            return f"+ {cards_text(cards, translator)}" if view.bout else cards_text(cards, translator)
        case Defend(card, attack):
            is_plain = sum(pair.beat is None for pair in view.bout) == 1
            beating = card_text(card, translator)
            return beating if is_plain else f"{card_text(attack, translator)} ← {beating}"
        case Transfer(cards):
            return f"↪ {cards_text(cards, translator)}"
        case ShowTrump(card):
            return translator.text("↪ show {card}", card=card_text(card, translator))
        case LayAway(rank):
            return translator.text("Lay away {rank}{rank}{rank}{rank}", rank=rank_text(rank, translator))
    return translator.text(_WITHOUT_CARDS[move])


def move_icon(move: Move, translator: Translator) -> str:
    """Name the icon of a move that needs one card: that card, as text; empty for other moves."""
    cards = _needed(move)
    return card_text(cards[0], translator) if len(cards) == 1 else ""


def move_tone(move: Move) -> Tone:
    """Colour a move: taking warns, being done is fine; no card looks as if it were recommended."""
    match move:
        case Take():
            return Tone.DANGER
        case Done() | Keep():
            return Tone.GOOD
    return Tone.NEUTRAL


def in_order_of(hand: Sequence[Card], moves: Sequence[Move]) -> list[Move]:
    """Sort moves of a kind, and answers to a card, as the cards they need stand in a hand.

    Transfers come first: what has to be beaten may grow, and then no button moves away from under a thumb.
    """
    place = {card: number for number, card in enumerate(hand)}
    return [
        move
        for _, alike in groupby(sorted(moves, key=_hands_on, reverse=True), key=_kind)
        for move in sorted(alike, key=lambda move: [place[card] for card in _needed(move)])
    ]


def playable_cards(moves: Sequence[Move], view: SeatView) -> frozenset[Card]:
    """Name the cards of a hand that one of these moves would use."""
    return frozenset(card for move in moves for card in cards_used(move, view))


def cards_used(move: Move, view: SeatView) -> tuple[Card, ...]:
    """Name the cards of a hand that a move would use."""
    match move:
        case LayAway(rank):
            return tuple(card for card in view.hand if card.rank is rank)
        case Exchange():  # the six of trumps, or the lowest trump of a deck without sixes
            trumps = [card for card in view.hand if card.suit is view.public.trump and card.rank >= Rank.SIX]
            return (min(trumps),)
    return _needed(move)


def _is_all_beaten(view: PublicView) -> bool:
    """Whether the cards leave the game if no card is added."""
    return bool(view.bout) and not view.taking and all(pair.beat is not None for pair in view.bout)


def _hands_on(move: Move) -> bool:
    return isinstance(move, Transfer | ShowTrump)


def _kind(move: Move) -> object:
    return move.attack if isinstance(move, Defend) else (type(move), len(_needed(move)))


def _needed(move: Move) -> tuple[Card, ...]:
    match move:
        case Attack(cards) | Transfer(cards):
            return cards
        case Defend(card) | ShowTrump(card):
            return (card,)
    return ()


def is_control(move: Move) -> bool:
    """Whether the move's button stands in the last row, apart from the cards."""
    return isinstance(move, Take | Done | Exchange | Keep | Redeal)
