"""The way to a Dask cluster and back, with thoughts that only wait: `python -m tests.bench.way --help`.

A place of the cluster thinks for a tenth of a second, and waits for its next thought: that is the overhead.
All processes of the cluster are on this machine, so many workers are as slow as their heartbeats make it.
"""

import asyncio
import time
from argparse import ArgumentDefaultsHelpFormatter, ArgumentParser
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from bot.thinking.cluster import Cluster
from bot.thinking.thoughts import Thought
from engine import PRESETS, Memory, Opening
from tests.bench.limits import quantile
from tests.bench.processes import usage
from tests.bot.thinking.scheduler_and_workers import Machines, Slowly, Stay, stay_of

LOOK = 0.05  # seconds between two polls of the starting cluster
WARM_SECONDS = 3.0  # of thoughts that do not count, for each worker: it loads the engine with the first one

COLUMNS = (
    "places",
    "thoughts/s",
    "overhead, median",
    "90th percentile",
    "there and back",
    "CPU of the bot",
    "of the scheduler",
    "of a worker",
)


class Answer(NamedTuple):
    """A thought on its way: its departure, its time at a place, and its answer."""

    left: float
    stay: Stay
    came: float

    @property
    def way(self) -> float:
        """Seconds of a lone thought outside its place."""
        return self.came - self.left - (self.stay.ended - self.stay.began)


async def measured(workers: int, threads: int, seconds: float) -> str:
    """Returns a line of the table for a cluster with this many workers."""
    with TemporaryDirectory() as folder:
        machines = Machines(Path(folder))
        cluster = Cluster(machines.address)
        running = asyncio.create_task(cluster.run())

        try:
            scheduler = machines.start_scheduler()
            started = [machines.start_worker(threads=threads) for _ in range(workers)]
            while cluster.places < workers * threads:
                await asyncio.sleep(LOOK)

            await _kept_busy(cluster, WARM_SECONDS * workers)
            others = [scheduler.pid, *(worker.pid for worker in started)]
            before = _spent(others)
            answers = await _kept_busy(cluster, seconds)
            spent = [now - earlier for now, earlier in zip(_spent(others), before, strict=True)]
            lonely = await _one_by_one(cluster, workers * threads)

            return _row(cluster.places, seconds, answers, lonely, spent)
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running
            machines.end()


async def _kept_busy(cluster: Cluster, seconds: float) -> list[Answer]:
    """Sends thoughts whenever the cluster has room; returns their answers."""
    pending = set[asyncio.Task[Answer]]()
    answers = list[Answer]()
    until = time.monotonic() + seconds

    while time.monotonic() < until:
        while cluster.room:
            pending.add(asyncio.ensure_future(_asked(cluster)))
            await asyncio.sleep(0)

        done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
        answers += [each.result() for each in done]

    await asyncio.gather(*pending)
    return answers


async def _one_by_one(cluster: Cluster, times: int) -> list[Answer]:
    """Sends one thought after another; returns their answers."""
    return [await _asked(cluster) for _ in range(max(20, times))]


async def _asked(cluster: Cluster) -> Answer:
    left = time.monotonic()
    stay = await asyncio.wrap_future(cluster.submit(stay_of, _thought()))
    return Answer(left, stay, time.monotonic())


def _thought() -> Thought:
    state = Opening(PRESETS["podkidnoy-36"], 2, "5eed", shuffle=1).deal()
    (seat,) = state.awaited
    view = state.view_for(seat)
    return Slowly("regular", view, state.legal_moves(seat), Memory.of(view, ()))


def _spent(others: list[int]) -> list[float]:
    """Returns the CPU seconds of this process and the others so far."""
    return [time.process_time(), *(usage(pid).seconds for pid in others)]


def _gaps(answers: list[Answer]) -> Iterator[float]:
    """Returns the seconds that each place waited from one thought to the next."""
    stays = defaultdict[Any, list[Stay]](list)
    for answer in answers:
        stays[answer.stay.place].append(answer.stay)

    for at_one in stays.values():
        at_one.sort(key=lambda stay: stay.began)
        for earlier, later in pairwise(at_one):
            yield later.began - earlier.ended


def _row(places: int, seconds: float, answers: list[Answer], lonely: list[Answer], spent: list[float]) -> str:
    gaps = list(_gaps(answers))
    bot, scheduler, *workers = spent
    cells = (
        str(places),
        f"{len(answers) / seconds:.0f}",
        f"{1000 * median(gaps):.1f} ms",
        f"{1000 * quantile(gaps, 0.9):.1f} ms",
        f"{1000 * median(each.way for each in lonely):.1f} ms",
        *(f"{1000 * each / len(answers):.1f} ms" for each in (bot, scheduler, sum(workers))),
    )

    return _line(cells)


def _line(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Prints a table with a line for each cluster."""
    parser = ArgumentParser(
        prog="python -m tests.bench.way", description=__doc__, formatter_class=ArgumentDefaultsHelpFormatter
    )
    parser.add_argument("clusters", nargs="*", default=["1", "2", "8x4"], help="workers, or workersxthreads")
    parser.add_argument("--seconds", type=float, default=20.0)
    options = parser.parse_args()

    print(_line(COLUMNS), "|---" * len(COLUMNS) + "|", sep="\n", flush=True)
    for each in options.clusters:
        workers, _, threads = each.partition("x")
        print(asyncio.run(measured(int(workers), int(threads or 1), options.seconds)), flush=True)


if __name__ == "__main__":
    main()
