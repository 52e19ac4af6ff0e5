"""An executor on the workers of a Dask cluster, which come and go without delaying anybody."""

import asyncio
import logging
import pickle
from collections.abc import AsyncIterator, Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import structlog

from bot.metrics import CLUSTER, THINKERS
from bot.thinking.apart import PACKAGE, done_apart, versions

if TYPE_CHECKING:
    from distributed import Client
    from distributed import Future as RemoteFuture

log = structlog.get_logger()

POLL_SECONDS = 1.0  # between two requests for the list of workers
CONNECTION_TIMEOUT = 3.0  # seconds that a scheduler has to answer
PROBE_TIMEOUT = 5.0  # seconds after which a worker is asked again: the question may have been lost on its way
TASKS_PER_THREAD = 2  # of a worker: one task waits there, so that the network costs no time

# Loggers to which the library gives its own handlers.
LOGGERS = ("distributed", "distributed.client", "bokeh", "tornado", "tornado.application")

P = ParamSpec("P")
T = TypeVar("T")


class UnfitVersionError(Exception):
    """The other side has another version; the message is a sentence for the owner."""


@dataclass(eq=False, slots=True)
class _Worker:
    """A worker, which gets tasks while it answers in time."""

    address: str
    threads: int
    is_trusted: bool = False
    answers: set[Future[Any]] = field(default_factory=set)  # to tasks that are under way
    probe: asyncio.Task[None] | None = None

    @property
    def idle(self) -> int:
        return max(0, self.threads - len(self.answers)) if self.is_trusted else 0

    @property
    def room(self) -> int:
        return max(0, TASKS_PER_THREAD * self.threads - len(self.answers)) if self.is_trusted else 0

    def lose(self) -> None:
        """Fails all tasks that are under way there."""
        self.is_trusted = False
        if self.probe is not None:
            self.probe.cancel()
        for answer in list(self.answers):
            answer.set_exception(BrokenExecutor("the worker is gone"))


class Cluster(Executor):
    """Gives tasks to the workers of a cluster while it is there.

    A task of a lost worker raises `BrokenExecutor`. When a caller cancels its future, the worker gets no
    tasks until it has answered a probe, as every new worker has to. The answer is its versions, which have to
    be the bot's own.
    """

    def __init__(self, address: str) -> None:
        """Prepares for a scheduler at an address like `tls://scheduler:8786`; `run` connects to it."""
        self._address = address
        self._client: Client | None = None
        self._workers: dict[str, _Worker] = {}
        self._tasks: asyncio.TaskGroup | None = None
        self._reported = ""

    # --- the executor --------------------------------------------------------------------------------------

    @property
    def places(self) -> int:
        """The number of tasks that can be done at the same time."""
        return sum(worker.threads for worker in self._workers.values() if worker.is_trusted)

    @property
    def idle(self) -> int:
        """The number of worker slots without a task."""
        return sum(worker.idle for worker in self._workers.values())

    @property
    def room(self) -> int:
        """The number of tasks that can be handed over now."""
        return sum(worker.room for worker in self._workers.values())

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Gives a task to the worker with the most room, as bytes that only the worker reads."""
        answer = Future[T]()
        worker = max(self._workers.values(), key=lambda each: (each.idle, each.room), default=None)
        if worker is None or not worker.room or self._tasks is None:
            answer.set_exception(BrokenExecutor("no worker has room"))
            return answer

        worker.answers.add(answer)
        remote = self._sent(worker, done_apart, pickle.dumps(partial(fn, *args, **kwargs)))
        doing = self._tasks.create_task(_pass_on(remote, answer))

        def done(_: Future[T]) -> None:
            worker.answers.discard(answer)
            if answer.cancelled():
                doing.cancel()
                self._begin_probe(worker)

        answer.add_done_callback(done)
        return answer

    # --- the cluster ---------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Keeps in touch with the cluster until cancelled, and reconnects after each loss."""
        while True:
            try:
                async with self._connected() as client, asyncio.TaskGroup() as tasks:
                    await self._serve(client, tasks)
            except UnfitVersionError as error:
                self._report(str(error))
            except Exception as error:  # this machine's own processes think until it is back
                self._report(f"The cluster at {self._address} is out of reach ({_kind_of(error)}).")

            await asyncio.sleep(POLL_SECONDS)

    @asynccontextmanager
    async def _connected(self) -> "AsyncIterator[Client]":
        from distributed import Client  # needed only with a cluster

        for name in LOGGERS:  # the bot has its own sentence for each trouble
            logger = logging.getLogger(name)
            logger.handlers.clear()
            logger.propagate = True
            logger.setLevel(logging.CRITICAL)

        client = Client(
            self._address, asynchronous=True, set_as_default=False, timeout=CONNECTION_TIMEOUT, name="durak"
        )
        try:
            await client
            await self._check_scheduler(client)
            yield client
        finally:
            with suppress(Exception):
                await client.close(CONNECTION_TIMEOUT)

    async def _check_scheduler(self, client: "Client") -> None:
        """Refuses a scheduler of another version; does not wait for workers that hang.

        Raises:
            UnfitVersionError: Its version is a different one.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(CONNECTION_TIMEOUT):
                versions = await client.get_versions(packages=[PACKAGE])
                here = versions["client"]["packages"]
                there = versions["scheduler"]["packages"]
                for name in ("distributed", PACKAGE):
                    if there[name] != here[name]:
                        raise UnfitVersionError(_unfit("scheduler", name, there[name], here[name]))

    async def _serve(self, client: "Client", tasks: asyncio.TaskGroup) -> None:
        """Keeps the list of workers up to date until the connection is lost."""
        self._client = client
        self._tasks = tasks

        try:
            while client.status == "running":
                async with asyncio.timeout(CONNECTION_TIMEOUT):
                    threads = await client.nthreads()
                self._follow(threads)
                await asyncio.sleep(POLL_SECONDS)

            raise ConnectionError
        finally:
            self._tasks = None
            self._follow({})
            self._client = None

    def _follow(self, threads: dict[str, int]) -> None:
        """Updates the workers from their numbers of threads by address, and probes new ones."""
        for address in self._workers.keys() - threads.keys():
            self._workers.pop(address).lose()

        for address in threads.keys() - self._workers.keys():
            worker = _Worker(address, threads[address])
            self._workers[address] = worker
            self._begin_probe(worker)

        THINKERS.labels(CLUSTER).set(self.places)

    def _begin_probe(self, worker: _Worker) -> None:
        """Asks a worker for its versions; it gets no task before it has answered."""
        worker.is_trusted = False
        if self._tasks is not None and (worker.probe is None or worker.probe.done()):
            worker.probe = self._tasks.create_task(self._probe(worker))

    async def _probe(self, worker: _Worker) -> None:
        here = versions()
        there = None
        while there is None:
            there = await self._versions_of(worker)

        unfit = [name for name in here if there.get(name) != here[name]]
        if unfit:
            name = unfit[0]
            self._report(_unfit(f"worker {worker.address}", name, there.get(name, "none"), here[name]))
            return

        worker.is_trusted = True
        THINKERS.labels(CLUSTER).set(self.places)
        self._report("")

    async def _versions_of(self, worker: _Worker) -> dict[str, str] | None:
        """Returns the versions of a worker, empty if it has no bot; None if it has not answered in time."""
        try:
            async with asyncio.timeout(PROBE_TIMEOUT):
                there: dict[str, str] = await self._sent(worker, versions)
                return there
        except TimeoutError:
            return None
        except Exception:  # it has no bot that could answer
            return {}

    def _sent(self, worker: _Worker, fn: Callable[..., object], *args: object) -> "RemoteFuture[Any]":
        assert self._client is not None
        return self._client.submit(fn, *args, workers=[worker.address], allow_other_workers=False, pure=False)

    def _report(self, trouble: str) -> None:
        """Logs a trouble, or that there is none (empty), if it differs from the last one."""
        if trouble == self._reported:
            return

        self._reported = trouble
        if trouble:
            log.warning("cluster_unusable", why=trouble)
        else:
            log.info("cluster_ready", address=self._address)


async def _pass_on(remote: "RemoteFuture[Any]", answer: Future[Any]) -> None:
    """Waits for a worker's answer and passes it on; `BrokenExecutor` if there is none."""
    try:
        with suppress(Exception):  # after any error, another place has to do the task
            result: bytes | None = await remote
            if result is not None and not answer.done():
                answer.set_result(pickle.loads(result))  # of a worker of the owner's
    finally:
        if not answer.done():
            answer.set_exception(BrokenExecutor("no answer"))


def _kind_of(error: Exception) -> str:
    """Returns the kind of an error, or of the first one in a group."""
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    return type(error).__name__


def _unfit(who: str, name: str, there: str | None, here: str) -> str:
    return f"The {who} has {name} {there}, the bot {here}: install the same version on both."
