"""Positions with two open hands and nothing left to draw, for puzzles and lessons."""

from collections.abc import Mapping, Sequence

from adapters.port import BoardMove, BoardPair, Mark, PuzzleBoard, Span
from bot.locale import Translator
from bot.screens.board import KINDS
from bot.screens.hand import cards_used, move_label
from bot.screens.text import SIGNS, Line, card_text, cards_text, in_hand_order
from engine import Defend, Move, Pair, Seat, State


def open_lines(state: State, seat: Seat, rival: str, translator: Translator) -> Sequence[Line]:
    """Describes a position to the player in `seat`: the trump, both hands, and the table."""
    return (
        translator.spans("Trump {suit}, nothing left to draw", suit=SIGNS[state.trump]),
        translator.spans("You: {cards}", mark=Mark.BOLD, cards=_hand(state, seat, translator)),
        (Span(f"{rival}: {_hand(state, _other(state, seat), translator)}"),),
        _table(state.bout, translator),
    )


def open_board(
    state: State,
    seat: Seat,
    text: Line,
    tokens: Mapping[Move, str],
    translator: Translator,
    *,
    rival: str = "",
) -> PuzzleBoard:
    """Returns a position as data, with the moves in `tokens` and their buttons' tokens.

    `rival` is the name of the other player, or empty.
    """
    view = state.view_for(seat)

    return PuzzleBoard(
        trump=state.trump.value,
        text=text,
        other=tuple(map(str, in_hand_order(state.view_for(_other(state, seat))))),
        bout=tuple(
            BoardPair(str(pair.attack), None if pair.beat is None else str(pair.beat), None)
            for pair in state.bout
        ),
        cards=tuple(map(str, in_hand_order(view))),
        moves=tuple(
            BoardMove(
                token=token,
                kind=KINDS[type(move)],
                cards=tuple(map(str, cards_used(move, view))),
                attack=str(move.attack) if isinstance(move, Defend) else None,
                label=move_label(move, view.public, translator),
            )
            for move, token in tokens.items()
        ),
        rival=rival,
    )


def _other(state: State, seat: Seat) -> Seat:
    """Returns the opponent of a seat: the first other seat that still has cards, if any."""
    rivals = [other for other in range(state.players) if other != seat]
    return next((other for other in rivals if other not in state.out), rivals[0])


def _hand(state: State, seat: Seat, translator: Translator) -> str:
    cards = cards_text(in_hand_order(state.view_for(seat)), translator)
    return cards or translator.text("no cards")


def _table(bout: Sequence[Pair], translator: Translator) -> Line:
    if not bout:
        return ()

    pairs = (
        card_text(pair.attack, translator)
        if pair.beat is None
        else f"{card_text(pair.attack, translator)}←{card_text(pair.beat, translator)}"
        for pair in bout
    )

    return translator.spans("On the table: {cards}", cards=" · ".join(pairs))
