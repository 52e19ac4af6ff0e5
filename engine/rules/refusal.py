"""Finds the reason for refusing an illegal move: one of those in rule 15.2."""

from engine.rules import moves
from engine.rules.cards import Card, cards_of
from engine.rules.cheating import laid_cards, may_cheat
from engine.rules.errors import Reason
from engine.rules.events import Seat
from engine.rules.legal import attack_cards_left
from engine.rules.position import Position, partners, throw_order


def reason_for(state: Position, seat: Seat, move: moves.Move) -> Reason:
    """Returns the reason why a seat may not play an illegal move."""
    if (reason := reason_for_seat(state, seat)) is not None:
        return reason

    if state.undecided:
        if not isinstance(move, moves.Keep | moves.Redeal):
            return Reason.NOT_ALL_KEPT
        return Reason.NO_REDEAL if seat in state.undecided else Reason.KEPT_ALREADY

    match move:
        case moves.Attack(cards):
            return _attack(state, seat, cards) if state.bout else _opening(state, seat, cards)
        case moves.Defend() | moves.Take():
            return _defend(state, seat, move)
        case moves.Transfer() | moves.ShowTrump():
            return _hand_on(state, seat, move)
        case moves.Done():
            may_say = seat != state.defender or state.rules.cheating
            is_said = state.bout and may_say and seat in state.declined
            return Reason.ALREADY_DONE if is_said else Reason.NOTHING_TO_DECLINE

        case moves.Accuse(card):
            return _accuse(state, seat, card)

    return _aside(state, seat, move)


def reason_for_seat(state: Position, seat: Seat) -> Reason | None:
    """Returns the reason why a seat may not do anything at all; None for a seat that plays."""
    if state.ended is not None:
        return Reason.GAME_OVER
    if not 0 <= seat < state.players:
        return Reason.NO_SUCH_SEAT
    return Reason.OUT_OF_GAME if seat in state.out else None


def _opening(state: Position, seat: Seat, cards: tuple[Card, ...]) -> Reason:
    if seat != state.attacker:
        return Reason.NOT_ATTACKER
    if not _holds(state, seat, cards):
        return Reason.NOT_IN_HAND
    if len(cards) > 1 and state.rules.opening_cards == "one":
        return Reason.OPENING_ONE_CARD

    return Reason.ONE_RANK if len({card.rank for card in cards}) > 1 else Reason.LIMIT


def _attack(state: Position, seat: Seat, cards: tuple[Card, ...]) -> Reason:
    if seat == state.defender:
        return Reason.DEFENDER_CANNOT_ATTACK
    if state.rules.throw_in == "none":
        return Reason.THROW_IN_OFF
    if seat in partners(state, state.defender):
        return Reason.TEAMMATE
    if seat not in throw_order(state):
        return Reason.NOT_A_HELPER

    return _throw_in(state, seat, cards)


def _throw_in(state: Position, seat: Seat, cards: tuple[Card, ...]) -> Reason:
    if not _holds(state, seat, cards):
        return Reason.NOT_IN_HAND
    if len(cards) > 1:
        return Reason.ONE_AT_A_TIME
    fits = cards[0].rank in {card.rank for card in cards_of(state.bout)}
    if not fits and not may_cheat(state, seat):
        return Reason.RANK_NOT_ON_TABLE
    if state.taking and state.rules.throw_in_after_take == "none":
        return Reason.AFTER_TAKE
    if attack_cards_left(state) == 0:
        return Reason.LIMIT
    if seat in state.declined:
        return Reason.ALREADY_DONE

    return Reason.WAIT_FOR_OTHERS if seat in state.who_may_throw_in else Reason.TOO_EARLY


def _defend(state: Position, seat: Seat, move: moves.Defend | moves.Take) -> Reason:
    if seat != state.defender:
        return Reason.NOT_DEFENDER
    if state.taking:
        return Reason.ALREADY_TAKING
    if isinstance(move, moves.Take):
        return Reason.MUST_BEAT if state.unbeaten else Reason.NOTHING_TO_TAKE
    if move.attack not in state.unbeaten:
        return Reason.NO_SUCH_ATTACK

    return Reason.DOES_NOT_BEAT if _holds(state, seat, (move.card,)) else Reason.NOT_IN_HAND


def _hand_on(state: Position, seat: Seat, move: moves.Transfer | moves.ShowTrump) -> Reason:
    rules = state.rules
    if seat != state.defender:
        return Reason.NOT_DEFENDER
    if not rules.transfer:
        return Reason.TRANSFER_OFF
    if isinstance(move, moves.ShowTrump) and not rules.transfer_by_showing_trump:
        return Reason.SHOW_OFF
    if not state.bout:
        return Reason.NO_SUCH_ATTACK
    if state.taking:
        return Reason.ALREADY_TAKING
    if not rules.transfer_in_first_bout and not state.bouts:
        return Reason.TRANSFER_FIRST_BOUT

    if len(state.unbeaten) < len(state.bout):
        return Reason.TRANSFER_TOO_LATE

    return _hand_on_cards(state, seat, move)


def _hand_on_cards(state: Position, seat: Seat, move: moves.Transfer | moves.ShowTrump) -> Reason:
    rank = state.bout[0].attack.rank
    cards = move.cards if isinstance(move, moves.Transfer) else (move.card,)
    if not _holds(state, seat, cards):
        return Reason.NOT_IN_HAND
    is_cheat = isinstance(move, moves.Transfer) and len(cards) == 1 and may_cheat(state, seat)
    if any(card.rank is not rank for card in cards) and not is_cheat:
        return Reason.SHOW_WRONG_CARD if isinstance(move, moves.ShowTrump) else Reason.TRANSFER_RANK
    if isinstance(move, moves.ShowTrump) and move.card.suit is not state.trump:
        return Reason.SHOW_WRONG_CARD
    if any((seat, card) in state.shown_trumps for card in cards):
        return Reason.SHOWN_ALREADY
    if len(cards) > 1 and state.rules.transfer_cards == "one":
        return Reason.TRANSFER_ONE_CARD

    return Reason.TRANSFER_NO_ROOM


def _accuse(state: Position, seat: Seat, card: Card) -> Reason:
    if not state.rules.cheating:
        return Reason.CHEATING_OFF
    if seat in state.wrong_accusers:
        return Reason.ACCUSE_AGAIN

    lies = any(laid.card is card for laid in laid_cards(state))
    return Reason.OWN_CARD if lies else Reason.NO_CARD_TO_ACCUSE


def _aside(state: Position, seat: Seat, move: moves.Move) -> Reason:
    match move:
        case moves.LayAway() if not state.rules.lay_away_four:
            return Reason.LAY_AWAY_OFF
        case moves.LayAway() if state.bout:
            return Reason.TABLE_NOT_EMPTY
        case moves.LayAway(rank):
            four = state.hands[seat].distinct().of_rank(rank)
            return Reason.NOT_FOUR if len(four) < 4 else Reason.KEEP_A_CARD  # a card of each suit
        case moves.Exchange():
            return Reason.NO_EXCHANGE if state.rules.trump_six_exchange else Reason.EXCHANGE_OFF
        case moves.Keep() | moves.Redeal() if not state.rules.redeal_same_suit:
            return Reason.REDEAL_OFF
        case moves.Keep():
            return Reason.KEPT_ALREADY
        case moves.Redeal():
            return Reason.NO_REDEAL

    return Reason.NOT_YOUR_TURN


def _holds(state: Position, seat: Seat, cards: tuple[Card, ...]) -> bool:
    return all(cards.count(card) <= state.hands[seat].count(card) for card in cards)
