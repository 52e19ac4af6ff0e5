"""Random rules, and random games in which every moment is checked."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

from hypothesis import strategies as st

from engine import (
    EDITION,
    PRESETS,
    SETTINGS,
    Card,
    Event,
    IllegalMoveError,
    Move,
    Opening,
    Rank,
    Record,
    Rules,
    Seat,
    State,
)
from engine.rules.legal import find_who_acts
from engine.rules.state import frozen
from tests.examples import examples

MAX_MOVES = 20_000  # no game is longer; a random one has a few hundred moves

_NUMBERS = {
    "decks": (1, 1, 1, 2),
    "min_players": (2,),
    "max_players": (8,),
    "hand_size": (2, 3, 4, 6),
    "redeal_same_suit": (0, 0, 4, 5),
    "attack_limit": (None, 1, 4, 6),
    "first_attack_limit": (None, None, 1, 3),
}


class Moment(NamedTuple):
    """A move of a game: the position before it, its player, and its result."""

    before: State
    seat: Seat
    move: Move
    after: State
    events: tuple[Event, ...]


Check = Callable[[Moment, Random], None]

quick = examples(20)
chances = st.integers(0, 1_000_000).map(Random)


def numbers_to_try(setting: str) -> tuple[int | None, int]:
    """Returns two values of a setting that takes any number: its default and another one."""
    default = getattr(Rules(), setting)
    return default, (default or 0) + 1


def any_rules(choose: Callable[[Sequence[object]], object]) -> Rules:
    """Draws any combination of settings, changed only where it would clash."""
    chosen = {
        name: choose(_NUMBERS.get(name, numbers_to_try(name)) if int in values else values)
        for name, values in SETTINGS.items()
    }
    rules = Rules(**chosen)  # type: ignore[arg-type]  # SETTINGS holds each field's own values
    plain = Rules(max_players=8, hand_size=2)

    for _ in SETTINGS:
        clashes = rules.clashes()
        if not clashes:
            return rules

        changed = clashes[0].settings[0]
        rules = replace(rules, **{changed: getattr(plain, changed)})

    raise AssertionError(rules.clashes())


@st.composite
def valid_rules(draw: st.DrawFn) -> Rules:
    """Draws any combination of settings that can be played."""
    return any_rules(lambda values: draw(st.sampled_from(values)))


def after(state: State, *moves: str) -> State:
    """Plays moves such as `0 A 6S`; a sound position stays sound."""
    before = state.problems()
    for move in moves:
        seat, _, text = move.partition(" ")
        state = state.apply(int(seat), Move.parse(text)).state
        assert before or not state.problems(), state.problems()

    return state


def numbers_of_players(rules: Rules) -> list[int]:
    """Returns the numbers of players who can play by these rules."""
    return [players for players in range(2, rules.max_players + 1) if not rules.clashes(players)]


def with_cheating(rules: Rules) -> Rules:
    """Returns the rules with cheating, changed where they clash with it."""
    return replace(
        rules,
        cheating=True,
        throw_in="all" if rules.throw_in == "none" else rules.throw_in,
        throw_in_order="free" if rules.throw_in_order == "strict" else rules.throw_in_order,
    )


@st.composite
def openings(draw: st.DrawFn) -> Opening:
    """Draws a preset or random rules, with a number of players they allow, and a deal."""
    rules = draw(st.one_of(st.sampled_from(list(PRESETS.values())), valid_rules()))
    if draw(st.integers(0, 2)) == 0:
        rules = with_cheating(rules)

    players = draw(st.sampled_from(numbers_of_players(rules)))
    seed = str(draw(st.integers(0, 1_000_000)))
    dealer = draw(st.integers(0, players - 1))
    edition = EDITION if rules.cheating else draw(st.sampled_from((1, 2, EDITION)))
    return Opening(rules, players, seed, dealer=dealer, edition=edition)


# A deal of every preset with every number of players.
PRESET_OPENINGS = [
    Opening(rules, players, seed=name)
    for name, rules in PRESETS.items()
    for players in numbers_of_players(rules)
]


def name_of(opening: Opening) -> str:
    """Returns the test id of one of these deals."""
    return f"{opening.seed}, {opening.players} players"


def moments(opening: Opening, rng: Random) -> Iterator[Moment]:
    """Plays a game of random legal moves and yields each."""
    state = opening.deal()
    while state.outcome() is None:
        choices = [(seat, move) for seat in sorted(state.actors) for move in state.legal_moves(seat)]
        seat, move = rng.choice(choices)
        after, events = state.apply(seat, move)
        yield Moment(state, seat, move, after, events)
        state = after


def random_game(opening: Opening, rng: Random) -> Iterator[tuple[State, Seat, Move]]:
    """Plays a game of random legal moves and yields every position with its next move."""
    for moment in moments(opening, rng):
        yield moment.before, moment.seat, moment.move


def play(opening: Opening, rng: Random, *checks: Check) -> State:
    """Plays a random game through the checks; a failed check reports the game so far."""
    record = Record(opening)
    last = opening.deal()
    try:
        for moment in moments(opening, rng):
            record = record.plus(moment.seat, moment.move)
            last = moment.after
            for check in checks:
                check(moment, rng)
            assert len(record.actions) < MAX_MOVES, "the game does not end"
    except Exception as error:
        error.add_note(record.to_text())
        raise

    return last


def now_and_then(check: Check) -> Check:
    """Returns the check for one in eight moments, for slow checks."""

    def sometimes(moment: Moment, rng: Random) -> None:
        if rng.random() < 1 / 8:
            check(moment, rng)

    return sometimes


# --- positions that differ from another one in some facts, whether or not a game can come there ----------


def changed(state: State, **facts: Any) -> State:
    """Returns the position with other facts."""
    after = state.copy()
    for name, fact in facts.items():
        assert hasattr(after, name)
        setattr(after, name, fact)

    find_who_acts(after)
    return frozen(after)


# --- every text that could be a move of a deck: exactly the legal ones are accepted ----------------------


@cache
def every_move(deck: tuple[Card, ...]) -> tuple[Move, ...]:
    """Returns every writable move of these cards; of several cards: all groups of one rank, and any two."""
    cards = list(dict.fromkeys(deck))
    groups: set[tuple[Card, ...]] = {(card, other) for card in cards for other in cards}
    for rank in Rank:
        same = [card for card in deck if card.rank is rank]
        groups.update(group for size in range(1, len(same) + 1) for group in combinations(same, size))

    texts = ["", "T", "P", "E", "K", "R", *(f"L {rank}" for rank in Rank), *(f"V {card}" for card in cards)]
    texts += [f"{letter} {' '.join(map(str, group))}" for letter in "AX" for group in groups]
    texts += [f"D {attack} {card}" for attack in cards for card in cards]
    texts += [f"C {card}" for card in cards]

    return tuple(dict.fromkeys(map(Move.parse, filter(None, texts))))


def check_every_move(state: State, seat: int) -> None:
    """Checks that `apply` accepts exactly the moves of `legal_moves`, and that a refusal changes nothing."""
    text = state.to_text()
    legal = set(state.legal_moves(seat))
    written = every_move(state.rules.cards(state.players))
    assert legal <= set(written)
    for move in written:
        assert is_accepted(state, seat, move) == (move in legal), (seat, str(move))

    assert state.to_text() == text


def is_accepted(state: State, seat: int, move: Move) -> bool:
    """Returns whether `apply` plays the move."""
    try:
        state.apply(seat, move)
    except IllegalMoveError:
        return False
    return True
