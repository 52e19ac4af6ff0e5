"""The effect of a move, the end of a bout, and the end of a game.

`apply` and `resign` check that the action is legal; the functions below assume it.
"""

from collections.abc import Callable, Mapping

from engine.rules import deal, moves
from engine.rules.cards import Card, CardSet, Pair, Rank, Suit, cards_of
from engine.rules.cheating import accuse, forget_bout, is_honest, unseen_cheats
from engine.rules.errors import IllegalMoveError
from engine.rules.events import (
    Attacked,
    BeatenOff,
    BoutOpened,
    Declined,
    Defended,
    Drew,
    Event,
    Exchanged,
    GameOver,
    Kept,
    LaidAway,
    Outcome,
    Redealt,
    Resigned,
    Seat,
    TakeDeclared,
    TakenUp,
    Transferred,
    TrumpShown,
    WentOut,
)
from engine.rules.legal import exchange_card, find_who_acts, is_bout_over, legal_moves, next_defender
from engine.rules.position import Handover, Position, clockwise, give_roles, next_chair, partners, seats_in
from engine.rules.position_text import to_text
from engine.rules.refusal import reason_for, reason_for_seat
from engine.rules.settings import MAX_QUIET_BOUTS

_SCORED_PLACES = 3
_ACE_POINTS = 15  # every other rank counts its face value, with J 11, Q 12, K 13
_MAX_EPAULETTES = 2  # a fool has two shoulders
_NO_SEATS: frozenset[Seat] = frozenset()


def apply(state: Position, seat: Seat, move: moves.Move) -> tuple[Position, tuple[Event, ...]]:
    """Plays a move, and ends the bout if nothing can follow; raises IllegalMoveError.

    Returns:
        The next position, and the events on the way to it.
    """
    if move not in legal_moves(state, seat):
        raise IllegalMoveError(reason_for(state, seat, move), seat, str(move), to_text(state))

    after, event = _PLAYED[type(move)](state, seat, move)
    find_who_acts(after)
    events = [event]

    if is_bout_over(after) or (after.emptied and not after.bout):
        after = _end_bout(after, events)
        find_who_acts(after)

    return after, tuple(events)


def resign(state: Position, seat: Seat) -> tuple[Position, tuple[Event, ...]]:
    """Ends the game as lost by this seat, in team play by its team (rule 9.11).

    Raises:
        IllegalMoveError: The seat is not in the game, or the game is over.
    """
    reason = reason_for_seat(state, seat)
    if reason is not None:
        raise IllegalMoveError(reason, seat, str(moves.Resign()), to_text(state))

    after = state.copy()
    fool = seat if state.rules.teams == "off" else None
    after.ended = Outcome(
        fool=fool,
        losers=partners(state, seat),
        is_draw=False,
        order=state.out,
        points=state.points,
        winner=_winner(state),
        unseen=unseen_cheats(state),
    )
    find_who_acts(after)

    return after, (Resigned(seat), GameOver(after.ended))


# --- the moves, one function each ------------------------------------------------------------------------


def attack(state: Position, seat: Seat, move: moves.Attack) -> tuple[Position, Event]:
    """Lays cards against the defender; seats that were done may add again."""
    after = _played_from_hand(state, seat, move.cards)
    after.bout += tuple([Pair(card, None, seat) for card in move.cards])
    after.declined = _NO_SEATS

    if state.rules.cheating:
        after.thrown_on_take = state.taking
        after.wrong_attacks += () if is_honest(state, move) else (len(state.bout),)

    if not state.bout:
        chair, target = state.chairs
        after.redeal_allowed = False
        after.moved += (target - chair) % state.players

    return after, Attacked(seat, move.cards)


def defend(state: Position, seat: Seat, move: moves.Defend) -> tuple[Position, Event]:
    """Beats an attack card; of equal ones, the one laid first (rule 5.2)."""
    after = _played_from_hand(state, seat, (move.card,))
    bout = list(state.bout)
    index = next(i for i, pair in enumerate(bout) if pair.beat is None and pair.attack is move.attack)
    bout[index] = Pair(move.attack, move.card, bout[index].by)

    after.bout = tuple(bout)
    after.declined = _NO_SEATS
    return after, Defended(seat, move.attack, move.card)


def transfer(state: Position, seat: Seat, move: moves.Transfer) -> tuple[Position, Event]:
    """Adds cards of the attack's rank; the defender becomes the attacker of the next player."""
    after = _played_from_hand(state, seat, move.cards)
    after.bout += tuple([Pair(card, None, seat) for card in move.cards])
    if state.rules.cheating:
        after.handovers += (Handover(len(state.bout), state.attacker, state.moved, len(state.shown_trumps)),)
        after.wrong_attacks += () if is_honest(state, move) else (len(state.bout),)

    _hand_on(after)
    return after, Transferred(seat, move.cards, after.defender)


def show_trump(state: Position, seat: Seat, move: moves.ShowTrump) -> tuple[Position, Event]:
    """Hands the attack on; the shown trump stays in the hand but cannot transfer again in this bout."""
    after = state.copy()
    holding = (seat, move.card)
    if holding not in state.seen_cards:
        after.seen_cards += (holding,)

    after.shown_trumps += (holding,)
    _hand_on(after)
    return after, TrumpShown(seat, move.card, after.defender)


def _hand_on(after: Position) -> None:
    """Transfers the attack: the defender becomes the attacker, and the next player the defender."""
    passer = after.defender
    target = next_defender(after)
    if after.rules.transfer_direction == "left":
        after.moved += (target - passer) % after.players
    else:
        after.moved -= (passer - target) % after.players

    after.attacker = passer
    after.defender = target
    after.chairs = (passer, target)
    after.declined = _NO_SEATS


def take(state: Position, seat: Seat, _move: moves.Take) -> tuple[Position, Event]:
    """Gives up the defence; the cards are picked up when no more are added."""
    after = state.copy()
    after.taking = True
    return after, TakeDeclared(seat)


def done(state: Position, seat: Seat, _move: moves.Done) -> tuple[Position, Event]:
    """Declines to add until another card is laid."""
    after = state.copy()
    after.declined |= {seat}
    return after, Declined(seat)


def lay_away(state: Position, seat: Seat, move: moves.LayAway) -> tuple[Position, Event]:
    """Puts the four cards of a rank on the discard heap."""
    cards = tuple(Card(suit, move.rank) for suit in Suit)
    after = _played_from_hand(state, seat, cards)
    after.discard |= CardSet(cards)
    after.redeal_allowed = False
    after.bouts_without_discard = 0
    return after, LaidAway(seat, cards)


def exchange(state: Position, seat: Seat, _move: moves.Exchange) -> tuple[Position, Event]:
    """Puts the trump six under the talon and takes the turn-up, a card that all have seen."""
    low_trump = exchange_card(state)
    turn_up = state.talon[-1]
    after = _played_from_hand(state, seat, (low_trump,))
    after.set_hand(seat, after.hands[seat].plus(turn_up))
    after.emptied = tuple(other for other in after.emptied if other != seat)
    after.talon = (*state.talon[:-1], low_trump)
    after.turn_up = low_trump
    after.seen_cards += ((seat, turn_up),)

    return after, Exchanged(seat, low_trump, turn_up)


def keep(state: Position, seat: Seat, _move: moves.Keep) -> tuple[Position, Event]:
    """Declines a new deal."""
    after = state.copy()
    after.undecided -= {seat}
    return after, Kept(seat)


def redeal(state: Position, seat: Seat, _move: moves.Redeal) -> tuple[Position, Event]:
    """Deals again."""
    return deal.redeal(state), Redealt(seat)


def _played_from_hand(state: Position, seat: Seat, cards: tuple[Card, ...]) -> Position:
    """Returns a copy in which these cards have left a hand; a seat left without cards joins `emptied`."""
    after = state.copy()
    hand = state.hands[seat].without(*cards)
    after.set_hand(seat, hand)

    if state.seen_cards:
        after.seen_cards = tuple(
            [holding for holding in state.seen_cards if holding[0] != seat or holding[1] not in cards]
        )

    if not hand:
        after.emptied += (seat,)

    return after


_PLAYED: Mapping[type[moves.Move], Callable[..., tuple[Position, Event]]] = {
    moves.Attack: attack,
    moves.Defend: defend,
    moves.Transfer: transfer,
    moves.ShowTrump: show_trump,
    moves.Take: take,
    moves.Done: done,
    moves.LayAway: lay_away,
    moves.Exchange: exchange,
    moves.Keep: keep,
    moves.Redeal: redeal,
    moves.Accuse: accuse,
}


# --- the end of a bout (chapter 7); rule 7.2 has the order of its parts


def _end_bout(before: Position, events: list[Event]) -> Position:
    """Ends a bout; without one, takes seats out that laid away their last cards (rule 8.3)."""
    rules = before.rules
    state = before.copy()
    state.emptied = ()

    if before.bout:
        _move_cards(state, events)

    if rules.leave_with_talon:
        _let_leave(state, before, events)

    if before.bout and state.talon and rules.draw == "refill":
        # Each hand is filled before the next, the defender's last.
        for seat in sorted(clockwise(state, state.attacker), key=lambda seat: seat == state.defender):
            _draw(state, seat, rules.hand_size - len(state.hands[seat]), events)

    if not rules.leave_with_talon:
        _let_leave(state, before, events)

    state.ended = _outcome_of(state, before)
    if state.ended is not None:
        events.append(GameOver(state.ended))
        return state

    # The defender attacks next, or after a take the player to their left; without a bout the attacker does.
    attacker_chair, defender_chair = before.chairs
    chair = defender_chair if before.bout else attacker_chair
    attacker = next_chair(state, chair) if before.taking else chair
    give_roles(state, attacker, moving_from=chair)

    if before.bout and rules.draw == "one_each_table_round" and state.moved >= state.players:
        for seat in clockwise(state, state.round_start):
            _draw(state, seat, min(1, rules.hand_size - len(state.hands[seat])), events)

        state.moved = 0
        state.round_start = state.attacker

    events.append(BoutOpened(state.attacker, state.defender))
    return state


def _move_cards(state: Position, events: list[Event]) -> None:
    """Moves the cards of the bout to the taker, or to the discard heap."""
    cards = tuple(cards_of(state.bout))
    if state.taking:
        events.append(TakenUp(state.defender, cards))
        state.set_hand(state.defender, state.hands[state.defender] | CardSet(cards))
        state.six_taken |= state.rules.trump_six_exchange and exchange_card(state) in cards
        state.bouts_without_discard += 1
    else:
        events.append(BeatenOff(state.defender, len(cards)))
        state.discard |= CardSet(cards)
        state.beaten_off += 1
        state.bouts_without_discard = 0

    if state.rules.cheating:
        state.unseen = unseen_cheats(state)
        forget_bout(state)

    state.bouts += 1
    state.bout = ()
    state.taking = False
    state.declined = _NO_SEATS
    state.shown_trumps = ()


def _draw(state: Position, seat: Seat, count: int, events: list[Event]) -> None:
    """Draws cards into a hand, as far as the talon goes."""
    if count <= 0 or not state.talon:
        return

    cards = state.talon[:count]
    state.talon = state.talon[count:]
    state.set_hand(seat, state.hands[seat] | CardSet(cards))
    turn_up: Card | None = None

    if not state.talon and state.rules.turn_up == "talon_bottom":
        turn_up = cards[-1]
        state.seen_cards += ((seat, turn_up),)

    events.append(Drew(seat, len(cards), cards, turn_up))


def _let_leave(state: Position, before: Position, events: list[Event]) -> None:
    """Takes seats without cards out of the game (rules 7.7 to 7.9), with their points (rule 9.4)."""
    if state.talon and not state.rules.leave_with_talon:
        return

    for seat in dict.fromkeys((*before.emptied, *clockwise(state, before.attacker))):
        if state.hands[seat] or seat in state.out:
            continue

        place = len(state.out) + 1
        if state.rules.scoring == "punkte" and state.turn_up is not None:
            points = list(state.points)
            points[seat] += place_points(state.turn_up.rank, state.players, place, stock=bool(state.talon))
            state.points = tuple(points)

        state.out += (seat,)
        events.append(WentOut(seat, place))


# --- the end of a game -----------------------------------------------------------------------------------


def _outcome_of(state: Position, before: Position) -> Outcome | None:
    """Returns the outcome after a bout, None while the game is running; `before` still has the bout.

    If all hands are empty, the game is a draw, or by setting the defender's loss. `MAX_QUIET_BOUTS` bouts in
    a row without a discard are also a draw.
    """
    rules = state.rules
    left = seats_in(state)
    losers: tuple[Seat, ...] = ()
    is_ranked = rules.game_end == "places_filled" and len(state.out) >= scored_places(state.players)
    if is_ranked:
        losers = left
    elif left or rules.simultaneous_empty == "defender_loses":
        last = left[0] if left else before.defender
        team = partners(state, last)
        if set(left) <= set(team):
            losers = team
        elif state.bouts_without_discard < MAX_QUIET_BOUTS:
            return None

    count, rank = _epaulettes(before, losers)
    points = state.points
    if rules.scoring == "epaulettes":
        points = tuple(-count if seat in losers else 0 for seat in range(state.players))

    fool = losers[0] if len(losers) == 1 and rules.teams == "off" else None
    return Outcome(
        fool=fool,
        losers=losers,
        is_draw=not losers and not is_ranked,
        order=state.out,
        points=points,
        epaulettes=count,
        epaulette_rank=rank,
        winner=_winner(state),
        unseen=state.unseen,
    )


def _winner(state: Position) -> Seat | None:
    """Returns the first seat that went out, if the rules name a winner (rule 9.5)."""
    return state.out[0] if state.rules.winner == "first_out" and state.out else None


def scored_places(players: int) -> int:
    """Returns how many places are worth points: three, but never the last one."""
    return min(_SCORED_PLACES, players - 1)


def place_points(turn_up: Rank, players: int, place: int, *, stock: bool) -> int:
    """Returns a place's points: the turn-up's value, halved for each further place, doubled with a stock.

    >>> place_points(Rank.KING, 4, 2, stock=True)
    12
    """
    if place > scored_places(players):
        return 0

    base = _ACE_POINTS if turn_up is Rank.ACE else int(turn_up)
    points = base >> (place - 1)
    return points * 2 if stock else points


def _epaulettes(before: Position, losers: tuple[Seat, ...]) -> tuple[int, Rank | None]:
    """Returns the number and the rank of the losers' epaulettes (rules 9.6 and 9.7).

    There are none unless a loser was the defender, and somebody else laid the last attack card. The final
    attack is that card with all others of its rank that the same seat laid in this bout. With `announce` each
    of its sixes counts, up to two. With `score` it counts once if its rank is the defender's next step and
    not all its cards are trumps.
    """
    rules = before.rules
    if rules.epaulettes == "off" or before.defender not in losers or not before.bout:
        return 0, None

    last = before.bout[-1]
    if last.by == before.defender:
        return 0, None

    rank = last.attack.rank
    final = [pair.attack for pair in before.bout if pair.by == last.by and pair.attack.rank is rank]
    plain = [card for card in final if card.suit is not before.trump]

    if rules.epaulettes == "score":
        is_scored = before.levels[before.defender] == rank and bool(plain)
        return (1, rank) if is_scored else (0, None)

    sixes = plain if rules.epaulette_non_trump else final
    if rank is not Rank.SIX or not sixes:
        return 0, None

    return min(_MAX_EPAULETTES, len(sixes)), rank
