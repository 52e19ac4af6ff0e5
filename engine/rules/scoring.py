"""Who has lost, and what the end is worth (chapter 9): fool, draw, places, epaulettes, points."""

from collections.abc import Iterable

from engine.rules.cards import Rank
from engine.rules.outcome import Outcome, Seat
from engine.rules.position import Position
from engine.rules.seating import partners, seats_in
from engine.rules.settings import MOST_QUIET_BOUTS

_SCORED_PLACES = 3
_ACE_POINTS = 15  # every other rank counts its face value, with J 11, Q 12, K 13
_MOST_EPAULETTES = 2  # a fool has two shoulders


def outcome_of(state: Position, before: Position) -> Outcome | None:
    """Judge the position after a bout; `before` still has the bout on its table.

    A game without a discard in `MOST_QUIET_BOUTS` bouts in a row is a draw.
    """
    rules, left = state.rules, seats_in(state)
    if rules.game_end == "places_filled":
        if len(state.out) >= scored_places(state.players):
            return _outcome(state, before, left, fool=left[0] if len(left) == 1 else None)
    elif not left:
        return _all_empty(state, before)
    elif set(left) <= set(losers := partners(state, left[0])):
        return _outcome(state, before, losers, fool=losers[0] if rules.teams == "off" else None)
    if state.bouts_without_discard >= MOST_QUIET_BOUTS:
        return _outcome(state, before, (), fool=None)
    return None


def _all_empty(state: Position, before: Position) -> Outcome:
    """Nobody holds a card: a draw, or by setting the defender's loss."""
    if state.rules.simultaneous_empty == "draw":
        return _outcome(state, before, (), fool=None)
    losers = partners(state, before.defender)
    return _outcome(state, before, losers, fool=before.defender if state.rules.teams == "off" else None)


def _outcome(state: Position, before: Position, losers: tuple[Seat, ...], fool: Seat | None) -> Outcome:
    rules = state.rules
    count, rank = epaulettes(before, losers)
    points = state.points
    if rules.scoring == "epaulettes":
        points = tuple(-count if seat in losers else 0 for seat in range(state.players))
    is_ranked = rules.game_end == "places_filled" and len(state.out) >= scored_places(state.players)
    return Outcome(
        fool=fool,
        losers=losers,
        is_draw=not losers and not is_ranked,
        order=state.out,
        points=points,
        epaulettes=count,
        epaulette_rank=rank,
        winner=winner_of(state),
    )


def winner_of(state: Position) -> Seat | None:
    """Name who was first out, where the rules call them the winner."""
    return state.out[0] if state.rules.winner == "first_out" and state.out else None


# --- points of Punktedurak --------------------------------------------------------------------------------


def scored_places(players: int) -> int:
    """Return how many places are worth points: three, but never the last one."""
    return min(_SCORED_PLACES, players - 1)


def place_points(turn_up: Rank, players: int, place: int, *, stock: bool) -> int:
    """Return a place's points: the turn-up's value, halved for each further place, doubled with a stock.

    >>> place_points(Rank.KING, 4, 2, stock=True)
    12
    """
    if place > scored_places(players):
        return 0
    base = _ACE_POINTS if turn_up is Rank.ACE else int(turn_up)
    return (base >> (place - 1)) * (2 if stock else 1)


def with_place(state: Position, seat: Seat, place: int) -> tuple[int, ...]:
    """Return everybody's points after a seat has taken a place."""
    if state.rules.scoring != "punkte" or state.turn_up is None:
        return state.points
    won = place_points(state.turn_up.rank, state.players, place, stock=bool(state.talon))
    return tuple(points + won * (other == seat) for other, points in enumerate(state.points))


# --- epaulettes -------------------------------------------------------------------------------------------


def epaulettes(before: Position, losers: Iterable[Seat]) -> tuple[int, Rank | None]:
    """Return how many epaulettes the last bout puts on the losers, and of which rank.

    They count only if a loser was the defender. The final attack is what the player of the last attack card
    laid of that rank in the bout. `announce`: one for each six of it, two at most. `score`: one if it is the
    loser's next rank and not all of it is trumps.
    """
    rules = before.rules
    if rules.epaulettes == "off" or before.defender not in tuple(losers) or not before.bout:
        return 0, None
    last = before.bout[-1]
    rank = last.attack.rank
    final = [pair.attack for pair in before.bout if pair.by == last.by and pair.attack.rank is rank]
    plain = [card for card in final if card.suit is not before.trump]
    if last.by == before.defender:
        return 0, None
    if rules.epaulettes == "score":
        is_scored = before.levels[before.defender] == rank and bool(plain)
        return (1, rank) if is_scored else (0, None)
    sixes = plain if rules.epaulette_non_trump else final
    return (min(_MOST_EPAULETTES, len(sixes)), rank) if rank is Rank.SIX and sixes else (0, None)
