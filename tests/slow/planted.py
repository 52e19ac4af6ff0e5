"""Plants faults in the bot, one at a time, and counts the stories that it takes until each is found.

Faults in what features show are rarely met in stories: there the tests of every subject have to fail.

python -m tests.slow.planted --stories 50
"""

import argparse
import asyncio
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from pkgutil import resolve_name
from time import monotonic
from typing import Any
from unittest.mock import patch

import pytest

from adapters.port import MessageRef, Throttled
from bot.delivery.state import Arrived, Pinned, Posting
from bot.model.messages import TABLE
from bot.model.table import Phase
from bot.storage.models import NicknameRow
from bot.storage.personal_rows import keep
from tests.bot.simulation.playing import an_empty_database, failure_of
from tests.bot.simulation.story import story_of

Change = Callable[[Any], Any]  # makes the wrong thing of the right one


def every(number: int, wrong: Change) -> Change:
    """Returns a change that does the wrong thing in each call whose number can be divided by this."""

    def change(right: Any) -> Any:
        calls = count(1)
        wrong_one = wrong(right)

        def called(*args: Any, **kwargs: Any) -> Any:
            is_wrong = next(calls) % number == 0
            does = wrong_one if is_wrong else right
            return does(*args, **kwargs)

        return called

    return change


# --- wrong things -------------------------------------------------------------------------------------------


def nothing(_: Any) -> Any:
    return lambda *_, **__: None


def nothing_in_time(_: Any) -> Any:
    async def nothing(*_: Any, **__: Any) -> None:
        return None

    return nothing


def unwritten(_: Any) -> Any:
    async def save(_: Any, table: Any) -> Any:
        return table

    return save


def begun(right: Any) -> Any:
    """Begins a task and does not await it."""
    going_on = set[asyncio.Task[None]]()

    async def begin(*args: Any, **kwargs: Any) -> None:
        task = asyncio.create_task(right(*args, **kwargs))
        going_on.add(task)
        task.add_done_callback(going_on.discard)

    return begin


def dropped(right: Any) -> Any:
    """Drops a coroutine, and begins again."""

    async def again(*args: Any) -> Any:
        right(*args)
        return await right(*args)

    return again


def broken(_: Any) -> Any:
    async def fail(*_: Any) -> None:
        raise RuntimeError("planted")

    return fail


def at_any_version(right: Any) -> Any:
    async def submit(session: Any, seat: int, text: str, _: int, *args: Any, **kwargs: Any) -> Any:
        return await right(session, seat, text, session.version, *args, **kwargs)

    return submit


def endless(right: Any) -> Any:
    def phase_by(*args: Any) -> Phase | None:
        phase: Phase | None = right(*args)
        return None if phase is Phase.OVER else phase

    return phase_by


def careless(_: Any) -> Any:
    @contextmanager
    def reread_nothing(*_: Any) -> Iterator[None]:
        yield

    return reread_nothing


def into_another(right: Any) -> Any:
    """Edits the message of which the outbox has heard last."""
    heard_of: list[MessageRef] = []

    async def edit(outbox: Any, message: Any, *args: Any) -> bool:
        others = [ref for ref in heard_of if ref != message.ref]
        heard_of.append(message.ref)
        if others:
            message.note(Arrived(others[-1], message.state.shown.digest))

        done: bool = await right(outbox, message, *args)
        return done

    return edit


def unrecorded(_: Any) -> Any:
    async def begin_post(_: Any, message: Any, digest: str, key: str = "") -> None:
        message.note(Posting(digest, key or "a key"))

    return begin_post


def without_buttons(right: Any) -> Any:
    async def hand(*args: Any, **kwargs: Any) -> Any:
        return replace(await right(*args, **kwargs), rows=())

    return hand


def of_the_next_seat(right: Any) -> Any:
    async def hand(presenter: Any, moment: Any, user: Any, seat: int, *args: Any) -> Any:
        return await right(presenter, moment, user, (seat + 1) % len(moment.table.players), *args)

    return hand


def of_another_table(right: Any) -> Any:
    known: set[int] = set()

    async def moment(presenter: Any, table_id: int) -> Any:
        known.add(table_id)
        others = known - {table_id}
        return await right(presenter, min(others, default=table_id))

    return moment


def given_up(right: Any) -> Any:
    async def record(outbox: Any, message: Any, reader: Any, digest: str, delivery: Any) -> bool:
        if isinstance(delivery, Throttled):
            return False
        done: bool = await right(outbox, message, reader, digest, delivery)
        return done

    return record


def given_up_by_features(right: Any) -> Any:
    async def record(outbox: Any, message: Any, reader: Any, digest: str, delivery: Any) -> bool:
        if isinstance(delivery, Throttled) and message.slot.subject.kind != TABLE:
            return False
        done: bool = await right(outbox, message, reader, digest, delivery)
        return done

    return record


def taken_for_done(right: Any) -> Any:
    """Records a pin as done, whatever the chat answers."""

    async def pin(outbox: Any, message: Any, queue: Any) -> bool:
        is_done: bool = await right(outbox, message, queue)
        if not is_done:
            message.note(Pinned(message.place.is_pinned))
        return True

    return pin


def unmarked(right: Any) -> Any:
    """Marks posts that are under way, and no changes."""

    def add_changes(session: Any, subject: Any, changes: int) -> None:
        if not changes:
            right(session, subject, changes)

    return add_changes


def of_any_change(right: Any) -> Any:
    async def note_shown(store: Any, subject: Any, _: int) -> None:
        await right(store, subject, await store.newest_change(subject))

    return note_shown


def erased_only(_: Any) -> Any:
    async def forget(_: Any, __: object, ___: object, erase: Callable[[], Any]) -> None:
        await erase()

    return forget


def keeping_names(right: Any) -> Any:
    return tuple(
        replace(rows, erase=keep) if rows.person is NicknameRow.player_id else rows for rows in right
    )


def none(_: Any) -> Any:
    return None


# Each fault by a sentence, with its place and the change there.
FAULTS: Mapping[str, tuple[str, Change]] = {
    "one move in twelve is not written": (
        "bot.storage.SqlJournal.append",
        every(12, nothing_in_time),
    ),
    "a move is acknowledged before it is written": ("bot.storage.SqlJournal.append", begun),
    "an outdated button plays": ("engine.runtime.GameSession.submit", at_any_version),
    "one change of a table in six is not written": ("bot.storage.TableStore.save", every(6, unwritten)),
    "a game that is over goes on for its table": ("bot.tables.service._phase_by", endless),
    "a table whose write failed is not read again": (
        "bot.tables.service.TableService.rereading_on_failure",
        careless,
    ),
    "one change in five does not reach the scheduler": (
        "bot.tables.scheduler.Scheduler.changed",
        every(5, nothing),
    ),
    "a cup is left alone once it began": ("bot.features.cups.handlers.CHECK_SECONDS", none),
    "one edit in fifteen goes into another message": (
        "bot.delivery.outbox.Outbox._edit",
        every(15, into_another),
    ),
    "one change of a table in ten is not shown": (
        "bot.delivery.outbox.Outbox.mark_dirty",
        every(10, nothing),
    ),
    "a message is posted without a note on disk": (
        "bot.delivery.messages.MessageIndex.begin_post",
        unrecorded,
    ),
    "a refused message is not tried again": ("bot.delivery.outbox.Outbox.record_delivery", given_up),
    "one hand in four has no buttons": ("bot.delivery.hands.Hands.render", every(4, without_buttons)),
    "one hand in ten is that of the next player": (
        "bot.delivery.hands.Hands.render",
        every(10, of_the_next_seat),
    ),
    "one look at a table in forty is at another": (
        "bot.delivery.moments.Moments.newest",
        every(40, of_another_table),
    ),
    "a hand does not follow when its view is closed": ("bot.delivery.room_hands.RoomHands.catch_up", nothing),
    "a room that moved keeps its old id": ("bot.tables.service.TableService.moved", nothing_in_time),
    "a name on a server outlasts /forgetme": ("bot.storage.privacy.ABOUT_PEOPLE", keeping_names),
    "a seat in memory outlasts /forgetme": ("bot.tables.service.TableService.forget", erased_only),
    "something is begun and not awaited": ("bot.people.People.profile", every(50, dropped)),
    "the scheduler fails now and then": ("bot.tables.scheduler.Scheduler._perform", every(10, broken)),
}

# Faults in what features show, which the tests of every subject find.
FAULTS_OF_SUBJECTS: Mapping[str, tuple[str, Change]] = {
    "an edit that was refused once is not tried again": ("bot.delivery.outbox.Outbox._retry_in", nothing),
    "a throttled pin is recorded as done": ("bot.delivery.outbox.Outbox._pin", taken_for_done),
    "what a feature shows stays as it is after a throttle": (
        "bot.delivery.outbox.Outbox.record_delivery",
        given_up_by_features,
    ),
    "a change of a feature is written without a mark": ("bot.storage.messages._add_changes", unmarked),
    "a mark is removed though a newer change came": (
        "bot.storage.messages.MessageSlotStore.note_shown",
        of_any_change,
    ),
}
TESTS_OF_SUBJECTS = "tests/bot/delivery/test_every_subject.py"


@contextmanager
def planted(place: str, change: Change) -> Iterator[None]:
    """Plants a fault for this block."""
    holder_name, _, name = place.rpartition(".")
    holder = resolve_name(holder_name)
    with patch.object(holder, name, change(getattr(holder, name))):
        yield


def stories_until_found(place: str, change: Change, most: int, empty: Path) -> tuple[int, str]:
    """Returns the number of stories until a fault is found, and how; 0 where it is not."""
    play = partial(failure_of, empty_database=empty)
    for seed in range(most):
        with planted(place, change):
            why = play(story_of(seed))
        if why:
            return seed + 1, why

    return 0, ""


def is_found_by_tests(place: str, change: Change) -> bool:
    """Returns whether a test of every subject fails with a fault, in its own process."""
    child = os.fork()
    if child == 0:
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, sys.stdout.fileno())
        os.dup2(silence, sys.stderr.fileno())
        with planted(place, change):
            os._exit(pytest.main(["-x", "-q", "-p", "no:cacheprovider", TESTS_OF_SUBJECTS]))

    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) == pytest.ExitCode.TESTS_FAILED


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stories", type=int, default=50, help="how many stories for each fault")
    parser.add_argument("--only", default="", help="words of the faults to plant")
    wish = parser.parse_args()

    missed = 0
    with an_empty_database() as empty:
        for name, (place, change) in FAULTS.items():
            if wish.only not in name:
                continue

            began = monotonic()
            stories, why = stories_until_found(place, change, wish.stories, empty)
            missed += not stories
            how = f"in story {stories}: {why[:120]!r}" if stories else "not found"
            print(f"{name}: {monotonic() - began:.0f} s, {how}", flush=True)

    for name, (place, change) in FAULTS_OF_SUBJECTS.items():
        if wish.only not in name:
            continue

        is_found = is_found_by_tests(place, change)
        missed += not is_found
        print(f"{name}: {'found by a test' if is_found else 'not found'}", flush=True)

    print(f"{missed} not found")
    sys.exit(missed > 0)


if __name__ == "__main__":
    main()
