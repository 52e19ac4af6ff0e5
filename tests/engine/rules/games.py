"""Random rules and random games for the properties."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from hypothesis import strategies as st

from engine import PRESETS, SETTINGS, Move, Opening, Rules, Seat, State

_NUMBERS = {
    "decks": (1, 1, 1, 2),
    "min_players": (2,),
    "max_players": (8,),
    "hand_size": (2, 3, 4, 6),
    "redeal_same_suit": (0, 0, 3, 5),
    "attack_limit": (None, 1, 4, 6),
    "first_attack_limit": (None, None, 1, 3),
}


def _values(name: str) -> list[object]:
    return list(_NUMBERS.get(name, SETTINGS[name]))


@st.composite
def valid_rules(draw: st.DrawFn) -> Rules:
    """Draws any combination of settings, changed only where it would clash."""
    rules = Rules(**{name: draw(st.sampled_from(_values(name))) for name in SETTINGS})  # type: ignore[arg-type]  # any
    for _ in range(len(SETTINGS)):
        clashes = rules.clashes()
        if not clashes:
            return rules
        plain = Rules(max_players=8, hand_size=2)
        changed = clashes[0].settings[0]
        rules = replace(rules, **{changed: getattr(plain, changed)})
    raise AssertionError(rules.clashes())


@st.composite
def openings(draw: st.DrawFn) -> Opening:
    """Draws a preset or random rules, with a number of players they allow, and a deal."""
    rules = draw(st.one_of(st.sampled_from(list(PRESETS.values())), valid_rules()))
    possible = [players for players in range(2, 9) if not rules.clashes(players)]
    players = draw(st.sampled_from(possible))
    seed = str(draw(st.integers(0, 1_000_000)))
    return Opening(rules, players, seed, dealer=draw(st.integers(0, players - 1)))


def random_game(opening: Opening, chance: Random) -> Iterator[tuple[State, Seat, Move]]:
    """Plays a game of random legal moves and gives every position with the move made in it."""
    state = opening.deal()
    while state.outcome() is None:
        choices = [(seat, move) for seat in sorted(state.actors) for move in state.legal_moves(seat)]
        seat, move = chance.choice(choices)
        yield state, seat, move
        state = state.apply(seat, move).state
