"""The text of a position, and the problems of an impossible one.

The text has one line for each fact: `trump H`, `hand 6S 7H` (once for each seat, in order),
`bout 6S/8S@0 7S@2` (an attack card, the card that beats it, the seat that laid it), and so on. Facts that are
empty, zero, off or implied are left out.
"""

from collections.abc import Callable, Iterable, Mapping
from enum import Flag, auto
from functools import lru_cache, reduce
from operator import or_
from typing import Any

from engine.rules.cards import Card, CardSet, Pair, Rank, Suit, beats, cards_of, cards_text, parse_cards
from engine.rules.errors import InvalidTextError
from engine.rules.events import Cheat, Outcome, Seat
from engine.rules.legal import find_who_acts, is_bout_over
from engine.rules.moves import Move
from engine.rules.position import Handover, Position, partners, seats_in
from engine.rules.settings import Rules

_ALWAYS = ("rules", "trump", "attacker", "defender")


def to_text(state: Position) -> str:
    """Writes the whole position, hidden cards included."""
    implied = _implied(state.players, vars(state))
    lines = []
    for name, (write, _) in _LINES.items():
        value = getattr(state, _FIELDS.get(name, name))
        if name in _ALWAYS or (value and value != implied.get(name)):
            lines.append(f"{name} {write(value)}")
        if name == "trump":
            lines += [f"hand {hand}".rstrip() for hand in state.hands]

    return "\n".join(lines) + "\n"


def from_text(text: str) -> Position:
    """Reads the text of `to_text`; raises InvalidTextError with the line that cannot be read."""
    values: dict[str, Any] = {"talon": (), "discard": CardSet()}
    hands: list[CardSet] = []
    for number, line in enumerate(text.splitlines(), 1):
        name, _, value = line.partition(" ")
        if not name:
            continue

        try:
            if name == "hand":
                hands.append(CardSet.parse(value))
            else:
                values[_FIELDS.get(name, name)] = _LINES[name][1](value)
        except KeyError:
            raise InvalidTextError(f"{name!r} is not the name of a line", number) from None
        except InvalidTextError as error:
            raise error.at(number, len(name) + 2) from None
        except ValueError:
            raise InvalidTextError(f"{value!r} cannot be read as {name}", number, len(name) + 2) from None

    missing = [name for name in _ALWAYS if name not in values]
    if missing or not hands:
        raise InvalidTextError(f"the position has no {', '.join(missing) or 'hands'}")

    state = Position(hands=tuple(hands), **(_implied(len(hands), values) | values))
    _check_seats(state)
    cards = [*state.talon, *state.discard, *cards_of(state.bout), *(card for hand in hands for card in hand)]
    state.cards = CardSet(cards)
    find_who_acts(state)

    return state


def _check_seats(state: Position) -> None:
    """Raises InvalidTextError for unknown seats, and for a wrong number of points, levels or chairs."""
    seats = [state.attacker, state.defender, state.dealer, state.round_start, *state.out, *state.declined]
    seats += [*state.emptied, *state.starters, *state.undecided, *(pair.by for pair in state.bout)]
    seats += [seat for seat, _ in (*state.seen_cards, *state.shown_trumps)]
    seats += [*state.caught, *state.wrong_accusers, *(handover.attacker for handover in state.handovers)]
    seats += [cheat.seat for cheat in state.unseen]
    for seat in (*seats, *state.chairs):
        if not 0 <= seat < state.players:
            raise InvalidTextError(f"there is no seat {seat} among {state.players} hands")

    if not len(state.points) == len(state.levels) == state.players or len(state.chairs) != 2:
        raise InvalidTextError(f"points and levels need one for each of {state.players} hands, chairs two")


def _implied(players: int, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the values of lines that are left out, except where that is just empty, zero or off."""
    under_talon = facts["talon"] and facts["rules"].turn_up == "talon_bottom"
    return {
        "turn_up": facts["talon"][-1] if under_talon else None,
        "chairs": (facts["attacker"], facts["defender"]),
        "points": (0,) * players,
        "levels": (int(Rank.SIX),) * players,
    }


# --- how each line is written and read -------------------------------------------------------------------


def _numbers_text(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(word) for word in text.split())


def _held_text(holdings: Iterable[tuple[Seat, Card]]) -> str:
    return " ".join(f"{seat}:{card}" for seat, card in holdings)


def _holdings(text: str) -> tuple[tuple[Seat, Card], ...]:
    words = [word.partition(":") for word in text.split()]
    return tuple((int(seat), Card.parse(card)) for seat, _, card in words)


def _bout_text(bout: tuple[Pair, ...]) -> str:
    return " ".join([f"{pair.attack}{f'/{pair.beat}' if pair.beat else ''}@{pair.by}" for pair in bout])


def _bout(text: str) -> tuple[Pair, ...]:
    pairs = []
    for word in text.split():
        cards, _, seat = word.partition("@")
        attack, _, beat = cards.partition("/")
        beaten_by = Card.parse(beat) if beat else None
        pairs.append(Pair(Card.parse(attack), beaten_by, int(seat)))

    return tuple(pairs)


def _outcome_text(outcome: Outcome) -> str:
    """Writes `fool=2 losers=2 draw=0 order=0,1 points=0,0,0 epaulettes=1 rank=6`, without empty parts."""
    parts = {
        "fool": outcome.fool,
        "losers": ",".join(map(str, outcome.losers)) or None,
        "draw": int(outcome.is_draw),
        "order": ",".join(map(str, outcome.order)) or None,
        "points": ",".join(map(str, outcome.points)),
        "epaulettes": outcome.epaulettes,
        "rank": outcome.epaulette_rank,
        "winner": outcome.winner,
        "unseen": ",".join(map(_cheat_text, outcome.unseen)) or None,
    }
    return " ".join(f"{name}={value}" for name, value in parts.items() if value is not None)


def _outcome(text: str) -> Outcome:
    parts = dict(word.split("=", 1) for word in text.split())

    def seats(name: str) -> tuple[int, ...]:
        return tuple(int(word) for word in parts[name].split(",")) if name in parts else ()

    winner = int(parts["winner"]) if "winner" in parts else None
    epaulette_rank = Rank.parse(parts["rank"]) if "rank" in parts else None
    return Outcome(
        fool=int(parts["fool"]) if "fool" in parts else None,
        losers=seats("losers"),
        is_draw=parts["draw"] == "1",
        order=seats("order"),
        points=seats("points"),
        epaulettes=int(parts["epaulettes"]),
        epaulette_rank=epaulette_rank,
        winner=winner,
        unseen=tuple(map(_cheat, parts["unseen"].split(","))) if "unseen" in parts else (),
    )


def _cheat_text(cheat: Cheat) -> str:
    """Writes `4:1:D:KS:7H`: in bout 4, seat 1 played `D KS 7H`."""
    return f"{cheat.bout}:{cheat.seat}:{str(cheat.move).replace(' ', ':')}"


def _cheat(text: str) -> Cheat:
    bout, seat, *move = text.split(":")
    return Cheat(int(bout), int(seat), Move.parse(" ".join(move)))


def _handovers_text(handovers: Iterable[Handover]) -> str:
    return " ".join([":".join(map(str, handover)) for handover in handovers])


def _handovers(text: str) -> tuple[Handover, ...]:
    return tuple(Handover(*map(int, word.split(":"))) for word in text.split())


_NUMBER = (str, int)
_NUMBERS = (_numbers_text, _numbers)
_SWITCH = (lambda _: "yes", lambda text: text == "yes")
_HELD = (_held_text, _holdings)
_CARDSET = (str, CardSet.parse)
_SEATS = (lambda seats: _numbers_text(sorted(seats)), lambda text: frozenset(_numbers(text)))

_LINES: Mapping[str, tuple[Callable[[Any], str], Callable[[str], object]]] = {
    "rules": (lru_cache(Rules.to_text), Rules.from_text),
    "trump": (str, Suit),
    "turn_up": (str, Card.parse),
    "talon": (cards_text, parse_cards),
    "discard": _CARDSET,
    "out": _NUMBERS,
    "attacker": _NUMBER,
    "defender": _NUMBER,
    "chairs": _NUMBERS,
    "bout": (_bout_text, _bout),
    "taking": _SWITCH,
    "declined": _SEATS,
    "emptied": _NUMBERS,
    "known": _HELD,
    "travelled": _HELD,
    "dealer": _NUMBER,
    "starters": _NUMBERS,
    "fresh": _SWITCH,
    "undecided": _SEATS,
    "no_idle_done": _SWITCH,
    "bouts": _NUMBER,
    "beaten_off": _NUMBER,
    "quiet": _NUMBER,
    "round_start": _NUMBER,
    "moved": _NUMBER,
    "six_taken": _SWITCH,
    "wrong_attacks": _NUMBERS,
    "handovers": (_handovers_text, _handovers),
    "caught": _SEATS,
    "saw_ghosts": _SEATS,
    "thrown_on_take": _SWITCH,
    "unseen": (
        lambda cheats: " ".join(map(_cheat_text, cheats)),
        lambda text: tuple(map(_cheat, text.split())),
    ),
    "points": _NUMBERS,
    "levels": _NUMBERS,
    "ended": (_outcome_text, _outcome),
}
# Fields that are not named like their lines; the lines are in stored texts, so they keep their names.
_FIELDS = {
    "known": "seen_cards",
    "travelled": "shown_trumps",
    "fresh": "redeal_allowed",
    "quiet": "bouts_without_discard",
    "saw_ghosts": "wrong_accusers",
}


# --- problems --------------------------------------------------------------------------------------------


class Problem(Flag):
    """The problems of a position; `NONE` is falsy."""

    NONE = 0
    CARD_TWICE = auto()
    CARD_MISSING = auto()
    FOREIGN_CARD = auto()
    BAD_ROLES = auto()
    OUT_WITH_CARDS = auto()
    IN_WITHOUT_CARDS = auto()
    DOES_NOT_BEAT = auto()
    STRANGE_RANK = auto()
    TOO_MANY_ATTACKS = auto()
    TURN_UP_MISPLACED = auto()
    SEEN_CARD_NOT_HELD = auto()
    BOUT_NOT_SETTLED = auto()
    NOBODY_AWAITED = auto()


def find_problems(state: Position) -> Problem:
    """Returns every broken invariant of a position."""
    checks = _misplaced_cards(state) | _wrong_seats(state) | _wrong_bout(state)
    return reduce(or_, (problem for problem, is_there in checks.items() if is_there), Problem.NONE)


def _misplaced_cards(state: Position) -> dict[Problem, bool]:
    """Checks that every card of the game is in exactly one place, and that the turn-up and seen cards fit."""
    hand_cards = (card for hand in state.hands for card in hand)
    cards = CardSet([*state.talon, *state.discard, *cards_of(state.bout), *hand_cards])
    lies_under_talon = state.rules.turn_up == "talon_bottom" and bool(state.talon)

    return {
        Problem.CARD_TWICE: not cards <= state.cards,
        Problem.CARD_MISSING: not state.cards <= cards,
        Problem.FOREIGN_CARD: not cards <= CardSet(state.rules.cards(state.players)),
        Problem.TURN_UP_MISPLACED: lies_under_talon and state.turn_up is not state.talon[-1],
        Problem.SEEN_CARD_NOT_HELD: any(card not in state.hands[seat] for seat, card in state.seen_cards),
    }


def _wrong_seats(state: Position) -> dict[Problem, bool]:
    inside = seats_in(state)
    is_running = state.ended is None
    attacker = state.attacker
    defender = state.defender
    has_empty_hand = any(not state.hands[seat] for seat in inside)
    are_wrong = not {attacker, defender} <= set(inside) or attacker in partners(state, defender)

    return {
        Problem.BAD_ROLES: is_running and are_wrong,
        Problem.OUT_WITH_CARDS: any(state.hands[seat] for seat in state.out),
        Problem.IN_WITHOUT_CARDS: is_running and not state.bout and has_empty_hand,
        Problem.NOBODY_AWAITED: is_running and not state.awaited,
        Problem.BOUT_NOT_SETTLED: is_bout_over(state),
    }


def _wrong_bout(state: Position) -> dict[Problem, bool]:
    rules = state.rules
    limit = state.rules.attack_limit
    pairs = [(pair.attack, pair.beat) for pair in state.bout if pair.beat is not None]
    ranks = {beat.rank for _, beat in pairs} | {pair.attack.rank for pair in state.bout[:1]}
    is_limited = rules.limit_by_defender_hand and (rules.transfer_limit_by_hand or not rules.transfer)
    over_hand = is_limited and len(state.unbeaten) > len(state.hands[state.defender])

    return {
        Problem.DOES_NOT_BEAT: not rules.cheating
        and not all(beats(beat, attack, state.trump, rules.rank_order) for attack, beat in pairs),
        Problem.STRANGE_RANK: not rules.cheating
        and any(pair.attack.rank not in ranks for pair in state.bout),
        Problem.TOO_MANY_ATTACKS: over_hand or (limit is not None and len(state.bout) > limit),
    }
