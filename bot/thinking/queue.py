"""The queue of thoughts: the most urgent and longest waiting one is next, with a fair share of time."""

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Future
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any, ParamSpec, Protocol, TypeVar

import structlog

from bot.metrics import CLUSTER, HERE, THINKERS, THOUGHT_SECONDS, THOUGHTS, THOUGHTS_ANSWERED, THOUGHTS_ASKED
from bot.thinking.processes import Processes
from bot.thinking.thoughts import FULL_BUDGET, Thought, ready, timed
from engine import Move

log = structlog.get_logger()

MAX_THOUGHT_SECONDS = 1.0  # after which a quicker player answers
MIN_BUDGET = 0.02  # the least CPU seconds for a thought, however many others wait
WAIT_SECONDS = 0.2  # if there are too many thoughts, their budgets shrink until each waits about this long
DUE_SECONDS = 0.6  # the aim for an answer: a busy loop may take the rest of the second
SHARE_OF_REST = 0.4  # the budget's share of the time left, as an endgame takes twice its budget
NEWEST = 0.1  # the weight of the newest thought in a moving average
RETURN_SECONDS = 0.5  # after which a thought is taken back from another machine
REPORT_SECONDS = 60.0  # between two log lines about stand-ins
REST_SECONDS = 60.0  # after which a patient process without work ends

P = ParamSpec("P")
T = TypeVar("T")


class Purpose(StrEnum):
    """The purposes of thoughts, the most urgent first."""

    GAME = "game"
    HINT = "hint"
    REVIEW = "review"
    PUZZLE = "puzzle"


OUTCOMES = ("in_time", "shortened", "replaced")
URGENT = (Purpose.GAME, Purpose.HINT)
UNHURRIED = (Purpose.REVIEW, Purpose.PUZZLE)


class OtherMachines(Protocol):
    """Other machines as an executor with a number of worker slots, which come and go."""

    async def run(self) -> None:
        """Keeps in touch with the workers until cancelled."""

    @property
    def places(self) -> int:
        """The capacity: the number of worker slots, and so of tasks that can run at the same time."""

    @property
    def idle(self) -> int:
        """The number of worker slots without a task."""

    @property
    def room(self) -> int:
        """The number of tasks that can be submitted now, some of which wait for a worker slot."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Submits a task to a free slot; its future raises `BrokenExecutor` if the worker is lost."""


@dataclass(eq=False, slots=True)
class _Request:
    """A thought or another task that waits for its turn, or is being done."""

    kind: Purpose
    since: float
    task: Callable[[float], Callable[[], Any]]  # makes the task from the CPU seconds that it is given
    answer: asyncio.Future[Any]
    is_returned: bool = False  # it was begun once, and its worker was lost


class ThoughtQueue:
    """Runs the most urgent and longest waiting thought next, for as long as the others allow.

    Thoughts go to other machines if these have a free slot, otherwise to this machine's processes. Reviews
    and puzzles run here, one after the other, in a patient process.
    """

    def __init__(self, processes: Processes, cluster: OtherMachines | None = None) -> None:
        self._processes = processes
        self._cluster = cluster
        self._patient = Processes(is_patient=True)
        self._stretch = 1.0  # seconds that a thought takes for each second of CPU it was given, on average
        self._waiting = {kind: deque[_Request]() for kind in Purpose}
        self._returned = deque[_Request]()
        self._resting: asyncio.TimerHandle | None = None
        self._stand_ins = Counter[Purpose]()
        self._reporting: asyncio.TimerHandle | None = None

        for kind in Purpose:
            THOUGHTS_ASKED.labels(kind)
            for outcome in OUTCOMES:
                THOUGHTS.labels(kind, outcome)

            for spent in ("waited", "thought"):
                THOUGHT_SECONDS.labels(kind, spent)

        for where in (HERE, CLUSTER):
            THOUGHTS_ANSWERED.labels(where)

    def warm_up(self) -> None:
        """Starts this machine's processes, so that no thought has to wait for that."""
        self._processes.warm_up(ready)

    async def run(self) -> None:
        """Keeps in touch with other machines until cancelled, and then ends all processes."""
        THINKERS.labels(HERE).set(self._processes.places)
        try:
            if self._cluster is None:
                await asyncio.get_running_loop().create_future()
            else:
                self.warm_up()  # they take over at once when the cluster is gone
                await self._cluster.run()
        finally:
            self.end()

    def end(self) -> None:
        """Ends all processes at once."""
        self._report()
        for timer in (self._resting, self._reporting):
            if timer is not None:
                timer.cancel()

        self._processes.shutdown()
        self._patient.shutdown()

    @property
    def share(self) -> float:
        """The share of its full budget that a thought would get now, from 0 to 1."""
        return self._fair_budget() / FULL_BUDGET

    async def think(self, kind: Purpose, thought: Thought) -> Move:
        """Returns the move that a slow thinker chooses, within a second.

        Raises:
            TimeoutError: There is no answer within a second.
            BrokenExecutor: The process died, and so did its replacement.
        """
        try:
            async with asyncio.timeout(MAX_THOUGHT_SECONDS):
                move: Move = await self._result(kind, lambda seconds: partial(thought.best_move, seconds))
                return move
        except Exception:
            self._note_stand_in(kind)
            raise

    async def work(self, kind: Purpose, task: Callable[[], T]) -> T:
        """Returns the result of a task that is not urgent; reviews come before puzzles."""
        result: T = await self._result(kind, lambda _: task)
        return result

    # --- turns ---------------------------------------------------------------------------------------------

    async def _result(self, kind: Purpose, task: Callable[[float], Callable[[], Any]]) -> Any:
        loop = asyncio.get_running_loop()
        request = _Request(kind, loop.time(), task, loop.create_future())
        THOUGHTS_ASKED.labels(kind).inc()

        self._waiting[kind].append(request)
        self._begin_next()
        return await request.answer

    def _begin_next(self) -> None:
        """Starts waiting tasks as long as there is capacity for them."""
        while self._processes.room and (request := _next_of([self._returned])):
            self._begin(request, self._processes)

        games = [self._waiting[Purpose.GAME]]
        while (thinkers := self._free_thinkers()) and (request := _next_of(games)):
            self._begin(request, thinkers)

        hints = [self._waiting[Purpose.HINT]]
        while (thinkers := self._idle_thinkers()) and (request := _next_of(hints)):
            self._begin(request, thinkers)

        unhurried = [self._waiting[kind] for kind in UNHURRIED]
        while self._patient.idle and (request := _next_of(unhurried)):
            self._begin(request, self._patient)

        self._let_rest()

    def _free_thinkers(self) -> OtherMachines | Processes | None:
        """Returns where the next thought runs: on other machines if possible, to keep this one responsive."""
        with_room = (thinker for thinker in self._thinkers if thinker.room)
        return self._idle_thinkers() or next(with_room, None)

    def _idle_thinkers(self) -> OtherMachines | Processes | None:
        """Returns where a thought can run at once, so that no game's thought waits behind a hint."""
        return next((thinker for thinker in self._thinkers if thinker.idle), None)

    @property
    def _thinkers(self) -> list[OtherMachines | Processes]:
        return [self._processes] if self._cluster is None else [self._cluster, self._processes]

    def _fair_budget(self, kind: Purpose = Purpose.GAME) -> float:
        """Returns how many CPU seconds each request may take so that all waiting ones are answered in time.

        It counts the waiting requests of this kind and of more urgent ones, and all whose worker was lost.
        """
        kinds = URGENT[: URGENT.index(kind) + 1]
        waiting = 1 + len(self._returned) + sum(len(self._waiting[kind]) for kind in kinds)
        places = self._processes.places + (self._cluster.places if self._cluster else 0)
        turn = places * WAIT_SECONDS / waiting / self._stretch

        return max(MIN_BUDGET, min(FULL_BUDGET, turn, self._budget_within(DUE_SECONDS)))

    def _budget(self, request: _Request, thinkers: OtherMachines | Processes, now: float) -> float:
        """Returns how many CPU seconds a request may take to be answered in time, even if it has to queue."""
        fair = self._fair_budget(request.kind if request.kind in URGENT else Purpose.GAME)
        rest = request.since + DUE_SECONDS - now
        if not thinkers.idle:
            rest -= fair * self._stretch  # until the thought before it is done

        return max(MIN_BUDGET, min(fair, self._budget_within(rest)))

    def _budget_within(self, seconds: float) -> float:
        """Returns the CPU seconds for a thought that is to take at most `seconds` by the clock."""
        return SHARE_OF_REST * seconds / self._stretch

    def _begin(self, request: _Request, thinkers: OtherMachines | Processes) -> None:
        loop = asyncio.get_running_loop()
        began = loop.time()
        seconds = self._budget(request, thinkers, began)
        where = CLUSTER if thinkers is self._cluster else HERE
        answer = thinkers.submit(timed, request.task(seconds))
        returning = loop.call_later(RETURN_SECONDS, answer.cancel) if where == CLUSTER else None

        def done(outcome: asyncio.Future[Any]) -> None:
            if returning is not None:
                returning.cancel()
            self._finish(request, outcome, seconds, where)
            self._begin_next()

        asyncio.wrap_future(answer).add_done_callback(done)

    def _finish(self, request: _Request, outcome: asyncio.Future[Any], seconds: float, where: str) -> None:
        """Answers a request, or retries an urgent one in this machine's processes if its worker was lost."""
        error = BrokenExecutor() if outcome.cancelled() else outcome.exception()
        if error is None:
            answer, took = outcome.result()
            self._note(request, took, seconds)
            THOUGHTS_ANSWERED.labels(where).inc()

            if not request.answer.done():  # else the asker waits no longer
                is_shortened = seconds < FULL_BUDGET and request.kind in URGENT
                outcome_label = "shortened" if is_shortened else "in_time"
                THOUGHTS.labels(request.kind, outcome_label).inc()
                request.answer.set_result(answer)
        elif request.answer.done():
            return
        elif isinstance(error, BrokenExecutor) and request.kind in URGENT and not request.is_returned:
            request.is_returned = True
            self._returned.append(request)
        else:
            request.answer.set_exception(error)

    def _note(self, request: _Request, took: float, seconds: float) -> None:
        """Records the time of a thought that was given `seconds` of CPU time."""
        waited = asyncio.get_running_loop().time() - request.since - took
        THOUGHT_SECONDS.labels(request.kind, "waited").inc(max(0.0, waited))
        THOUGHT_SECONDS.labels(request.kind, "thought").inc(took)
        if request.kind is Purpose.GAME:
            self._stretch += NEWEST * (took / seconds - self._stretch)

    # --- idle processes and reports ------------------------------------------------------------------------

    def _let_rest(self) -> None:
        """Ends the patient process after a while without work."""
        if self._resting is not None:
            self._resting.cancel()
        self._resting = None
        if self._patient.has_begun and self._patient.idle:
            self._resting = asyncio.get_running_loop().call_later(REST_SECONDS, self._patient.shutdown)

    def _note_stand_in(self, kind: Purpose) -> None:
        """Counts a thought that a quicker player has to replace; the count is logged once a minute."""
        THOUGHTS.labels(kind, "replaced").inc()
        self._stand_ins[kind] += 1
        if self._reporting is None:
            self._reporting = asyncio.get_running_loop().call_later(REPORT_SECONDS, self._report)

    def _report(self) -> None:
        self._reporting = None
        if self._stand_ins:
            log.warning("thoughts_replaced", **{str(kind): count for kind, count in self._stand_ins.items()})
        self._stand_ins.clear()


def _next_of(queues: Sequence[deque[_Request]]) -> _Request | None:
    """Returns the first request that is still awaited, from the first queue that has one."""
    for queue in queues:
        while queue:
            request = queue.popleft()
            if not request.answer.done():
                return request

    return None
