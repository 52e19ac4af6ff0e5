"""Workers on other machines think while they are available, and nobody waits when they are not."""

import asyncio
import os
import pickle
import re
import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from random import Random
from typing import Self

import dask.config
import pytest
import pytest_asyncio
import trustme
from prometheus_client import REGISTRY
from structlog.testing import capture_logs

from bot.thinking import apart
from bot.thinking import cluster as cluster_module
from bot.thinking import queue as queue_module
from bot.thinking.apart import versions
from bot.thinking.cluster import Cluster
from bot.thinking.processes import Processes
from bot.thinking.queue import Purpose, ThoughtQueue
from bot.thinking.thoughts import Thought
from engine import PRESETS, Memory, Move, Opening
from tests.bot.thinking.scheduler_and_workers import Machines, Proxy, Slowly, go_on, stop
from tests.docs.pages import page
from tests.engine.rules.secrecy import dealt_again

pytestmark = pytest.mark.slow

STARTS_WITHIN = 60.0  # seconds, on a machine that is busy with other tests
STATE = Opening(PRESETS["podkidnoy-36"], 2, "5eed", shuffle=1).deal()


def thought(kind: type[Thought] = Thought) -> Thought:
    (seat,) = STATE.awaited
    view = STATE.view_for(seat)
    return kind("regular", view, STATE.legal_moves(seat), Memory.of(view, ()))


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(STARTS_WITHIN):
        while not holds():
            await asyncio.sleep(0.02)


class Bot:
    """The thinking part of a bot, with a cluster."""

    def __init__(self, address: str) -> None:
        self.cluster = Cluster(address)
        self._processes = Processes()
        self._thinking = ThoughtQueue(self._processes, self.cluster)
        self._running: asyncio.Task[None] | None = None
        self.waits = list[float]()

    async def __aenter__(self) -> Self:
        self._running = asyncio.create_task(self._thinking.run())
        await asyncio.sleep(0)
        await self._thinking.work(Purpose.REVIEW, os.getpid)  # as long as a process takes to begin
        await until(lambda: self._thinks_here)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._running is not None
        self._running.cancel()
        with suppress(asyncio.CancelledError):
            await self._running

    @property
    def _thinks_here(self) -> bool:
        return self._processes.idle == 1  # it has begun

    async def workers(self, number: int) -> None:
        """Waits until this many can be used."""
        await until(lambda: self.cluster.places == number)

    async def think(self, kind: type[Thought] = Thought) -> Move:
        began = time.monotonic()
        move = await self._thinking.think(Purpose.GAME, thought(kind))
        self.waits.append(time.monotonic() - began)
        return move


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Extends the timeouts for a machine that is busy with other tests; test_line.py covers a bot's speed."""
    monkeypatch.setattr(queue_module, "MAX_THOUGHT_SECONDS", 60.0)


@pytest_asyncio.fixture
async def machines(tmp_path: Path) -> AsyncIterator[Machines]:
    machines = Machines(tmp_path)
    yield machines
    machines.end()


def replaced() -> float:
    labels = {"kind": "game", "outcome": "replaced"}
    return REGISTRY.get_sample_value("durak_thoughts_total", labels) or 0.0


async def test_five_hundred_thoughts_are_all_answered_while_workers_are_killed_hang_and_come(
    machines: Machines,
) -> None:
    machines.start_scheduler()
    first, second = (machines.start_worker() for _ in range(2))
    before = replaced()

    async with Bot(machines.address) as bot:
        await bot.workers(2)
        moves = list[Move]()
        for number in range(50):
            moves += await asyncio.gather(*(bot.think() for _ in range(10)))
            match number:
                case 10:
                    first.kill()
                case 20:
                    stop(second)
                case 30:
                    go_on(second)
                case 35:
                    machines.start_worker()

    assert len(moves) == 500
    assert set(moves) <= set(thought().moves)
    assert replaced() == before


async def test_a_scheduler_that_is_killed_costs_no_thought_and_is_used_again_when_it_is_back(
    machines: Machines,
) -> None:
    scheduler = machines.start_scheduler()
    machines.start_worker()
    async with Bot(machines.address) as bot:
        await bot.workers(1)
        thinking = [asyncio.create_task(bot.think(Slowly)) for _ in range(4)]
        await asyncio.sleep(0.05)
        scheduler.kill()
        await asyncio.gather(*thinking)
        await bot.workers(0)
        await bot.think()

        scheduler.wait()
        machines.start_scheduler()
        machines.start_worker()
        await until(lambda: bot.cluster.places)
        await bot.think()


async def test_a_partition_costs_no_thought_and_the_cluster_is_used_again_after_it(
    machines: Machines,
) -> None:
    machines.start_scheduler()
    machines.start_worker()
    async with Proxy(machines.port) as proxy, Bot(f"tcp://127.0.0.1:{proxy.port}") as bot:
        await bot.workers(1)
        await bot.think()

        proxy.drops = True
        await asyncio.gather(*(bot.think() for _ in range(3)))
        await bot.workers(0)
        await bot.think()

        proxy.drops = False
        await bot.workers(1)
        await bot.think()


async def test_a_worker_that_hangs_gets_no_more_thoughts_until_it_answers(machines: Machines) -> None:
    machines.start_scheduler()
    worker = machines.start_worker()
    async with Bot(machines.address) as bot:
        await bot.workers(1)
        stop(worker)
        await bot.think()
        assert bot.cluster.places == 0
        await bot.think()
        go_on(worker)
        await bot.workers(1)

    slow, quick = bot.waits
    assert quick < slow


async def test_a_worker_of_another_version_is_refused_with_a_sentence(
    machines: Machines, monkeypatch: pytest.MonkeyPatch
) -> None:
    machines.start_scheduler()
    machines.start_worker()
    here = versions()
    monkeypatch.setattr(apart, "version", lambda name: "99" if name == apart.PACKAGE else version(name))

    with capture_logs() as lines:
        async with Bot(machines.address) as bot:
            await until(lambda: [told for told in lines if "version" in told["why"]])
            await bot.think()
            assert bot.cluster.places == 0

    told = next(told for told in lines if "version" in told["why"])
    assert told["event"] == "cluster_unusable"

    sentence = f"has durak-bot {here[apart.PACKAGE]}, the bot 99: install the same version on both."
    assert told["why"].endswith(sentence)


async def test_a_cluster_that_is_not_there_is_named_once_and_holds_up_nothing(machines: Machines) -> None:
    with capture_logs() as lines:
        async with Bot(machines.address) as bot:
            await bot.think()
            await asyncio.sleep(3 * cluster_module.POLL_SECONDS)

    assert [line["event"] for line in lines] == ["cluster_unusable"]
    assert machines.address in lines[0]["why"]


async def test_the_way_is_encrypted_by_the_five_lines_of_hosting(
    machines: Machines, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority = trustme.CA()
    certificate = tmp_path / "own.pem"
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    authority.issue_cert("127.0.0.1").private_key_and_cert_chain_pem.write_to_path(certificate)
    lines = re.findall(r"^(DASK_DISTRIBUTED__COMM__\w+)=(.+)$", page("docs/hosting.md"), re.MULTILINE)
    assert len(lines) == 5

    for name, value in lines:
        monkeypatch.setenv(name, value.replace("/etc/durak", str(tmp_path)))

    dask.config.refresh()

    machines.protocol = "tls"
    machines.start_scheduler()
    machines.start_worker()

    async with Bot(machines.address) as bot:
        await bot.workers(1)
        assert await bot.think() in thought().moves

    async with Bot(machines.address.replace("tls", "tcp")) as bot:
        await bot.think()
        assert bot.cluster.places == 0

    monkeypatch.undo()
    dask.config.refresh()


def test_what_leaves_is_the_same_for_all_hands_of_others() -> None:
    (seat,) = STATE.awaited
    sent = {pickle.dumps(thought())}
    for number in range(20):
        other = dealt_again(STATE, seat, Random(number))
        view = other.view_for(seat)
        sent.add(pickle.dumps(Thought("regular", view, other.legal_moves(seat), Memory.of(view, ()))))

    assert len(sent) == 1
