"""An opening for each value of each setting, in which the value makes a difference to the game.

The file has a title such as `# transfer_direction=right` and the line of an opening for each. A game of
random moves from there is no game by the default value of the setting: something differs that a player could
notice.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

from engine import SETTINGS, Match, Opening, Rules, State
from engine.rules.settings import DECLARATIONS, value_text
from tests.engine.rules.games import numbers_of_players, numbers_to_try

FILE = Path(__file__).parent / "value_openings.txt"
HEADING = "An opening for each value of each setting, where it makes a difference (value_openings.py).\n"

MAX_SEEDS = 20_000
PLAYERS = 4

# Values of settings that take any number, where two are not enough.
NUMBERS: dict[str, tuple[int | None, ...]] = {
    "decks": (2, 3),
    "min_players": (3,),
    "max_players": (2,),
    "hand_size": (4, 8),
    "redeal_same_suit": (4, 5),
    "attack_limit": (1, 4, None),
    "first_attack_limit": (1, 3),
}

# The other settings that a setting needs, besides those in `Rules`, to make a difference within a few games.
PARTNERS: dict[str, str] = {
    "lay_away_four": "deck=24 hand_size=12",
    "no_trump_fallback": "hand_size=2",
    "first_attacker_next_game": "winner=first_out deck=24",
    "dealer_next": "deck=24",
    "attack_limit": "throw_in_timing=anytime limit_by_defender_hand=off",
    "first_attack_limit": "throw_in_timing=anytime",
    "first_attack_limit_until": "first_attack_limit=1 throw_in_timing=anytime",
    "transfer_cards": "opening_cards=equal_rank",
    "transfer_limit_by_hand": "deck=24",
    "leave_with_talon": "hand_size=2",
    "game_end": "deck=24",
    "simultaneous_empty": "hand_size=2 deck=24",
    "winner": "deck=24",
}
VALUE_PARTNERS = {"hand_size=8": "decks=2"}
TABLES = {"lay_away_four": 2, "simultaneous_empty": 2, "teams": 6, "redeal_same_suit": 6, "max_players": 2}


def values() -> Iterator[tuple[str, object]]:
    """Yields each setting with each of its values but the default, which is compared with all others."""
    for setting, choices in SETTINGS.items():
        for value in NUMBERS.get(setting, numbers_to_try(setting)) if int in choices else choices:
            if value != getattr(Rules(), setting):
                yield setting, value


def title_of(setting: str, value: object) -> str:
    """Returns the title of an opening, as one would type the setting."""
    return f"{setting}={value_text(value)}"


def openings() -> dict[str, Opening]:
    """Reads the file: an opening by each title."""
    blocks = FILE.read_text().split("\n# ")[1:]
    return {title: Opening.from_text(line) for title, line in (block.split("\n")[:2] for block in blocks)}


def regenerated() -> str:
    """Returns the file with an opening for each value; one that is good enough stays."""
    known = openings()
    blocks = []
    for setting, value in values():
        title = title_of(setting, value)
        opening = known.get(title)
        if opening is None or not makes_a_difference(opening, setting):
            opening = _found(setting, value)

        blocks.append(f"# {title}\n{opening}\n")

    return "\n".join([HEADING, *blocks])


def _found(setting: str, value: object) -> Opening:
    title = title_of(setting, value)
    beside = DECLARATIONS[setting].beside
    partners = f"{beside} {PARTNERS.get(setting, '')} {VALUE_PARTNERS.get(title, '')}".split()
    rules = replace(Rules().with_options(partners), **{setting: value})  # type: ignore[arg-type] # by name
    players = min(numbers_of_players(rules), key=lambda number: abs(number - TABLES.get(setting, PLAYERS)))

    for seed in range(MAX_SEEDS):
        opening = Opening(rules, players, str(seed))
        if makes_a_difference(opening, setting):
            return opening

    raise AssertionError(f"{title} makes no difference in {MAX_SEEDS} games")


def makes_a_difference(opening: Opening, setting: str) -> bool:
    """Returns whether a game of random moves shows that a setting hasn't its default value."""
    other = replace(opening.rules, **{setting: getattr(Rules(), setting)})
    if numbers_of_players(other) != numbers_of_players(opening.rules):
        return True
    if other.cards(opening.players) != opening.rules.cards(opening.players):
        return True

    state = _dealt(opening.rules, opening)
    twin = _dealt(other, opening)
    chance = Random(0)
    while _seen(state) == _seen(twin):
        if state.outcome() is not None:
            return _next_game(opening, opening.rules, state) != _next_game(opening, other, twin)

        choices = [(seat, move) for seat in sorted(state.actors) for move in state.legal_moves(seat)]
        move = chance.choice(choices)
        state = state.apply(*move).state
        twin = twin.apply(*move).state

    return True


def _dealt(rules: Rules, opening: Opening) -> State:
    return State.deal(rules, opening.players, opening.deck, dealer=opening.dealer, edition=opening.edition)


def _seen(state: State) -> tuple[object, ...]:
    """Returns all that players can notice of a position, and everything that the rules remember of it."""
    seats = range(state.players)
    view = replace(state.public_view(), rules=Rules())
    facts = [line for line in state.to_text().splitlines() if not line.startswith("rules ")]
    moves = [state.legal_moves(seat) for seat in seats]
    return view, facts, moves, [state.place_in_line(seat) for seat in seats]


def _next_game(opening: Opening, rules: Rules, state: State) -> tuple[object, ...]:
    """Returns who deals and who may attack first in the game after this one."""
    outcome = state.outcome()
    assert outcome is not None
    after = Match.of(replace(opening, rules=rules)).after(outcome)
    return after.dealer, after.starters
