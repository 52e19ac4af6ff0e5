"""Agreement of two reviews of one game, and their duration: `python -m tests.bench.reviews --help`."""

import asyncio
from argparse import ArgumentDefaultsHelpFormatter, ArgumentParser, Namespace
from collections.abc import Iterator
from random import Random
from time import perf_counter

from bot.model.findings import Findings
from bot.storage import GameToReview
from bot.tables.reviews import looked_back
from bot.thinking.processes import Processes
from bot.thinking.queue import ThoughtQueue
from engine import PRESETS, STRENGTHS, Event, Memory, Opening, Regret, seen_by
from engine.runtime import Author, Entry

TABLES = (2, 4)


def journal(opening: Opening, strength: str) -> Iterator[Entry]:
    """Plays a game of house players with the records of a game of people."""
    state = opening.deal()
    events = list[Event]()
    players = [STRENGTHS[strength](Random(f"{opening.seed}-{seat}")) for seat in range(opening.players)]
    yield Entry(1, 1, 1, None, opening.to_text(), None, 0.0)

    while state.outcome() is None:
        seat = min(state.awaited)
        view = state.view_for(seat)
        move = players[seat].choose(view, state.legal_moves(seat), Memory.of(view, seen_by(events, seat)))
        yield Entry(1, len(events) + 2, 1, seat, str(move), Author.PLAYER, 0.0)
        state, happened_now = state.apply(seat, move)
        events.extend(happened_now)


async def compared(options: Namespace, strength: str) -> None:
    """Reviews each game twice and prints the costs of the moves named by both."""
    gaps: list[float] = []
    regrets = 0
    seconds = list[float]()
    thinking = ThoughtQueue(Processes())

    for players in options.tables:
        for number in range(options.games):
            opening = Opening(PRESETS[options.preset], players, f"{options.seed}-{number}")
            played = GameToReview(1, 1, 0, list(journal(opening, strength)))
            both: list[dict[object, Regret]] = []

            for _ in range(2):
                began = perf_counter()
                both.append(named(await looked_back(played, thinking)))
                seconds.append(perf_counter() - began)

            one, other = both
            regrets += len(one) + len(other)
            gaps += [abs(one[key].cost - other[key].cost) for key in one.keys() & other.keys()]

    thinking.end()
    print(
        f"{strength:8} {regrets / len(seconds):.1f} moves a review, {len(gaps)} of them named twice, "
        f"costs apart by {max(gaps, default=0):.1%} at most; "
        f"{sum(seconds) / len(seconds):.1f} s a review, {max(seconds):.1f} s at most"
    )


def named(findings: Findings) -> dict[object, Regret]:
    """Returns the moves that a review names, by their positions."""
    assert isinstance(findings, tuple), findings
    return {(regret.decision.view, regret.decision.played, regret.best): regret for regret in findings}


def main() -> None:
    """Compares reviews of games by players of each strength."""
    parser = ArgumentParser(description=__doc__, formatter_class=ArgumentDefaultsHelpFormatter)
    parser.add_argument("--games", type=int, default=5, help="games for each strength and table")
    parser.add_argument("--preset", default="podkidnoy-36", choices=PRESETS)
    parser.add_argument("--tables", type=int, nargs="+", default=TABLES, help="how many sit at a table")
    parser.add_argument("--strengths", nargs="+", default=[*STRENGTHS], choices=STRENGTHS)
    parser.add_argument("--seed", default="review")
    options = parser.parse_args()

    for strength in options.strengths:
        asyncio.run(compared(options, strength))


if __name__ == "__main__":
    main()
