"""Strength and speed of the house players: `python -m tests.bench.players --help`."""

from argparse import ArgumentDefaultsHelpFormatter, ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from itertools import combinations, product
from math import inf
from random import Random
from statistics import median
from time import perf_counter, process_time

from engine import PRESETS, HousePlayer, Opening, Rules
from engine.players import DEFAULT_LIMIT, ENOUGH, STRENGTHS, Expert, Memory, is_search_compiled
from engine.players.search import rollouts
from engine.players.search.rollouts import DRAW, SearchRoot
from tests.bench.matches import Maker, against
from tests.bench.rivals import Chance, EarlyTaker, Greedy, NeverTakes, Searcher, TreeSearch
from tests.engine.oracle.endgame import discarded_in, random_ending, value, without_history

# Player, number at the table, opponents, and the highest mean share of games it may lose.
GOALS = (
    ("expert", 2, "greedy", 0.10),
    ("regular", 2, "greedy", 0.31),
    ("expert", 4, "greedy", 0.12),
    ("expert", 2, "random", 0.03),
    ("expert", 2, "early taker", 0.38),
    ("expert", 2, "never takes", 0.28),
    ("expert", 2, "searcher", 0.42),
    ("expert", 2, "tree search", 0.20),
    ("expert", 2, "patient tree", 0.40),
)

TOURNAMENT = ("podkidnoy-36", "perevodnoy", "punktedurak")
TABLES = (2, 3, 4, 6)
GOAL_GAMES = 40
TOURNAMENT_GAMES = 4
BUDGETS = (0.02, 0.05, 0.15)  # CPU seconds for a move
LONG = 60.0  # seconds that an ending may take to count
FEW = 20  # guesses at the others' choice among equally good moves
SPEED = (("podkidnoy-36", 2), ("podkidnoy-36", 4), ("perevodnoy", 3))
DEALS = 9
GUESSES = 200  # in each deal
RISKS = {1: 0.0, 0: DRAW, -1: 1.0}


def maker(name: str, options: Namespace) -> Maker:
    """Returns a function that makes a player of this name for a game."""

    def make(seed: str) -> HousePlayer:
        match name:
            case "greedy":
                return Greedy()
            case "random":
                return Chance(seed)
            case "early taker":
                return EarlyTaker()
            case "never takes":
                return NeverTakes()
            case "searcher":
                return Searcher(seed)
            case "tree search":
                return TreeSearch(seed, playouts=options.playouts)
            case "patient tree":
                return TreeSearch(seed, playouts=options.patient_playouts)
            case "expert":
                return Expert(Random(seed), limit=options.limit, guesses=options.guesses)

        return STRENGTHS[name](Random(seed))

    return make


def goals(options: Namespace) -> Iterator[str]:
    """Plays podkidnoy-36 against simple players and compares the fool rates with their goals."""
    rules = PRESETS["podkidnoy-36"]
    for name, players, rival, most in GOALS:
        if players not in options.tables:
            continue

        deals = max((options.games or GOAL_GAMES) // players, 1)
        hero = maker(name, options)
        other = maker(rival, options)
        tally = against(rules, players, hero, other, deals=deals, seed=options.seed)
        verdict = "reached" if tally.fool_rate <= most else "missed"
        yield f"{players} players, {name:8} against {rival:12} (goal {most:3.0%} {verdict})   {tally}"


def tournament(options: Namespace) -> Iterator[str]:
    """Plays every player against tables of each weaker one."""
    for preset, players in product(options.presets, options.tables):
        rules = PRESETS[preset].with_options(options.settings)
        for name, rival in combinations([*STRENGTHS][::-1], 2):
            deals = max((options.games or TOURNAMENT_GAMES) // players, 1)
            hero = maker(name, options)
            other = maker(rival, options)
            tally = against(rules, players, hero, other, deals=deals, seed=options.seed)
            yield f"{preset:12} {players} players, {name:8} against {rival:8}   {tally}"


def endings(options: Namespace) -> Iterator[str]:
    """Counts out random endings by brute force and checks the expert's verdicts and moves."""
    rng = Random(options.seed)
    expert = Expert(Random(options.seed), limit=LONG, guesses=FEW)
    rules = PRESETS["podkidnoy-36"]
    began = perf_counter()
    wrong = 0
    moved = 0

    for _ in range(options.endings):
        state = random_ending(rules, rng, most=options.cards)
        while state.outcome() is None:
            (seat,) = state.awaited
            best = value(without_history(state), seat)
            view = state.view_for(seat)
            moves = state.legal_moves(seat)
            memory = Memory(discarded_in(state))
            risks = expert.risks(view, moves, memory)
            move = expert.choose(view, moves, memory)
            after = state.apply(seat, move).state
            moved += 1

            if (
                risks is None
                or min(risks.values()) != RISKS[best]
                or value(without_history(after), seat) != best
            ):
                wrong += 1
                yield f"WRONG about {move}: {state.to_text()}"

            state = after

    seconds = perf_counter() - began
    yield f"{options.endings} endings, {moved} moves, {wrong} not as brute force says, in {seconds:.0f} s"


def budgets(options: Namespace) -> Iterator[str]:
    """Plays two at a table with the time limits of a bot with few, some and many players."""
    rules = PRESETS["podkidnoy-36"]
    games = options.games or GOAL_GAMES
    for rival in options.rivals:
        for limit in options.budgets:
            hero = maker("expert", Namespace(**vars(options) | {"limit": limit}))
            other = maker(rival, options)
            tally = against(rules, 2, hero, other, deals=max(games // 2, 1), seed=options.seed)
            yield f"expert with {1000 * limit:3.0f} ms against {rival:8}   {tally}"


def speed(options: Namespace) -> Iterator[str]:
    """Counts the playouts of a first move in a second of CPU; the search may be compiled."""
    yield f"the search is {'compiled' if is_search_compiled() else 'Python'}"
    for preset, players in SPEED:
        rates = [_rate(PRESETS[preset], players, f"{options.seed}-{number}") for number in range(DEALS)]
        yield f"{preset:12} {players} players   {median(rates):7,.0f} games a second"


def _rate(rules: Rules, players: int, seed: str) -> float:
    state = Opening(rules, players, seed).deal()
    (seat,) = state.awaited
    view = state.view_for(seat)
    root = SearchRoot.of(view, state.legal_moves(seat), Memory.of(view, ()))
    assert root is not None

    began = process_time()
    rollouts.risks(root.sampler, list(root.moves), Random(seed), until=inf, most=GUESSES)
    return GUESSES * len(root.moves) / (process_time() - began)


PARTS: dict[str, Callable[[Namespace], Iterator[str]]] = {
    "goals": goals,
    "tournament": tournament,
    "endings": endings,
    "budgets": budgets,
    "speed": speed,
}


def main() -> None:
    """Measures and prints each line as soon as it is complete."""
    parser = ArgumentParser(description=__doc__, formatter_class=ArgumentDefaultsHelpFormatter)
    parser.add_argument("parts", nargs="*", default=list(PARTS), metavar="part", help=f"any of {list(PARTS)}")
    parser.add_argument("--presets", nargs="+", default=TOURNAMENT, help="for the tournament")
    parser.add_argument("--settings", nargs="+", default=[], help="for the tournament, such as teams=2x2")
    parser.add_argument("--tables", type=int, nargs="+", default=TABLES, help="how many sit at a table")
    parser.add_argument(
        "--games",
        type=int,
        default=0,
        help=f"games for each figure; 0: {GOAL_GAMES}, in the tournament {TOURNAMENT_GAMES}",
    )
    parser.add_argument("--endings", type=int, default=1000, help="endings to count by brute force")
    parser.add_argument("--cards", type=int, default=12, help="the most cards in an ending")
    parser.add_argument("--limit", type=float, default=DEFAULT_LIMIT, help="CPU seconds an expert may think")
    parser.add_argument("--guesses", type=int, default=ENOUGH, help="the most guesses for a move")
    parser.add_argument("--playouts", type=int, default=90, help="a tree search makes in each of its guesses")
    parser.add_argument(
        "--patient-playouts", type=int, default=500, help="a patient tree search makes in each"
    )
    parser.add_argument("--budgets", type=float, nargs="+", default=BUDGETS, help="CPU seconds for a move")
    parser.add_argument("--rivals", nargs="+", default=["regular", "greedy"], help="for the budgets")
    parser.add_argument("--seed", default="durak", help="deals the cards and draws the guesses")
    options = parser.parse_args()

    unknown = set(options.parts) - set(PARTS)
    if unknown:
        parser.error(f"there is no part {unknown.pop()!r}: any of {list(PARTS)}")

    for part in options.parts:
        print(f"== {part}", flush=True)
        for line in PARTS[part](options):
            print(line, flush=True)


if __name__ == "__main__":
    main()
