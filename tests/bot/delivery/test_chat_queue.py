"""Budgets of one chat, and the order of its messages."""

import asyncio
from collections.abc import Coroutine
from itertools import pairwise

import pytest

from adapters.port import UNLIMITED, Budget, CallLimiter, Everyone, MessageRef, Only, Throttled
from adapters.telegram.adapter import BUDGETS
from bot.delivery.messages import HOLD_SECONDS, Message
from bot.delivery.queue import ROOM_WAITS, ChatBudget, ChatQueue, ChatQueues
from bot.delivery.state import Arrived, Placed, Released
from bot.model.messages import HANDS, MessageKind, TableSlot, Urgency
from tests.bot.chat import CELLAR, PLATFORM, ROOM, Chat, person
from tests.bot.fake_clock import FakeClock
from tests.bot.outbox_harness import placed

BUDGET = Budget(seconds=2.0, burst=3)
FREE = CallLimiter(UNLIMITED)


def waits(pace: ChatBudget, now: float, *, is_paced: bool = False) -> float:
    return pace.ready_at(now, is_paced=is_paced) - now


def test_a_burst_goes_out_at_once_and_then_one_each_so_many_seconds() -> None:
    pace = ChatBudget(BUDGET)
    for _ in range(3):
        assert waits(pace, 100.0) == 0.0
        pace.spend(100.0)

    assert waits(pace, 100.0) == 2.0
    assert waits(pace, 101.5) == 0.5

    pace.spend(102.0)
    assert waits(pace, 102.0) == 2.0


def test_a_group_on_telegram_is_sent_less_than_twenty_messages_and_edits_in_any_minute() -> None:
    pace = ChatBudget(BUDGETS.public)
    sent = list[float]()
    now = 1000.0
    while now < 1300.0:
        now = pace.ready_at(now)
        pace.spend(now)
        sent.append(now)

    for begin in sent:
        assert len([each for each in sent if begin <= each <= begin + 60]) < 20


def test_a_long_silence_earns_no_more_than_the_burst() -> None:
    pace = ChatBudget(BUDGET)
    for _ in range(3):
        pace.spend(1_000_000.0)
    assert waits(pace, 1_000_000.0) > 0


def test_a_debt_is_forgiven_beyond_one_burst() -> None:
    pace = ChatBudget(BUDGET)
    for _ in range(40):
        pace.spend(100.0)
    assert waits(pace, 100.0) == 2.0 * (3 + 1)


def test_the_tables_edits_keep_apart_though_the_burst_is_left() -> None:
    pace = ChatBudget(BUDGET)
    pace.spend(100.0, is_paced=True)
    assert waits(pace, 100.0, is_paced=True) == 2.0
    assert waits(pace, 100.0) == 0.0


def test_an_edit_that_was_asked_for_uses_the_burst_but_for_what_is_left_for_calls() -> None:
    pace = ChatBudget(BUDGET)
    for _ in range(2):
        assert pace.ready_at(100.0, Urgency.ASKED_FOR, is_paced=True) == 100.0
        pace.spend(100.0, is_paced=True)

    assert pace.ready_at(100.0, Urgency.ASKED_FOR, is_paced=True) == 102.0
    assert waits(pace, 100.0) == 0.0
    assert pace.ready_at(105.0, Urgency.ASKED_FOR, is_paced=True) == 105.0


def test_what_can_wait_comes_a_while_after_whatever_was_sent_before() -> None:
    pace = ChatBudget(BUDGET, onlooker_pause=10.0)
    assert pace.ready_at(100.0, Urgency.CAN_WAIT) == 100.0
    pace.spend(100.0)
    assert pace.ready_at(101.0, Urgency.CAN_WAIT) == 110.0
    assert waits(pace, 101.0) == 0.0
    assert not pace.is_rested(109.0)
    assert pace.is_rested(110.0)


def test_a_pause_holds_everything_back() -> None:
    pace = ChatBudget(BUDGET)
    pace.paused_until = 110.0
    assert {waits(pace, 100.0, is_paced=is_paced) for is_paced in (True, False)} == {10.0}
    assert waits(pace, 111.0) == 0.0


def test_a_chat_without_a_budget_never_waits() -> None:
    pace = ChatBudget(Budget(0.0, 1))
    for _ in range(50):
        assert waits(pace, 100.0, is_paced=True) == 0.0
        pace.spend(100.0, is_paced=True)


@pytest.fixture
async def clock() -> FakeClock:
    return FakeClock()


def message(kind: MessageKind, table_id: int = 1) -> Message:
    anna = person("Anna").ref
    is_hand = kind in HANDS
    slot = TableSlot(table_id, 1, kind, anna if is_hand else None)
    new = Message(slot)
    new.note(Placed(placed(slot, Only(anna, ROOM) if is_hand else Everyone(ROOM))))
    return new


@pytest.mark.usefixtures("clock")
async def test_each_surface_waits_once_however_often_it_changed() -> None:
    queue = ChatQueue(BUDGET, FREE)
    table = message(MessageKind.TABLE)
    for _ in range(5):
        queue.add(table)

    assert await queue.next() is table
    assert await queue.next() is None


async def test_what_may_go_first_overtakes(clock: FakeClock) -> None:
    queue = ChatQueue(BUDGET, FREE)
    queue.budget.spend(clock.since_boot(), is_paced=True)
    table = message(MessageKind.TABLE)
    call = message(MessageKind.CALL)
    table.note(Arrived(MessageRef(PLATFORM, "1"), "a digest"))

    queue.add(table)
    queue.add(call)
    assert await queue.next() is call


@pytest.mark.parametrize("kind", [MessageKind.CALL, MessageKind.INVITATION])
async def test_nobody_is_called_to_a_table_that_is_not_there_yet(clock: FakeClock, kind: MessageKind) -> None:
    queue = ChatQueue(BUDGET, FREE)
    queue.budget.spend(clock.since_boot(), is_paced=True)
    table = message(MessageKind.TABLE)
    call = message(kind)
    queue.add(call)
    queue.add(table, Urgency.ASKED_FOR)
    table.hold()

    async with asyncio.TaskGroup() as tasks:
        first = tasks.create_task(queue.next())
        await asyncio.sleep(0)
        clock.skip(HOLD_SECONDS)
        assert await first is table

    assert await queue.next() is call


async def test_what_was_asked_for_once_stays_so_until_it_is_taken(clock: FakeClock) -> None:
    queue = ChatQueue(BUDGET, FREE)
    queue.budget.spend(clock.since_boot(), is_paced=True)
    table = message(MessageKind.TABLE)
    queue.add(table, Urgency.ASKED_FOR)
    queue.add(table)
    async with asyncio.timeout(0):
        assert await queue.next() is table


async def test_what_comes_while_the_lane_waits_is_seen_at_once(clock: FakeClock) -> None:
    queue = ChatQueue(BUDGET, FREE)
    queue.budget.spend(clock.since_boot(), is_paced=True)
    table = message(MessageKind.TABLE)
    result = message(MessageKind.RESULT)
    queue.add(table)

    async with asyncio.TaskGroup() as tasks:
        waiting = tasks.create_task(queue.next())
        await asyncio.sleep(0)
        queue.add(result)
        assert await waiting is result

        later = tasks.create_task(queue.next())
        await asyncio.sleep(0)
        clock.skip(2.0)

        assert await later is table


@pytest.mark.usefixtures("clock")
async def test_a_held_surface_waits_for_its_release_and_others_do_not() -> None:
    queue = ChatQueue(BUDGET, FREE)
    hand = message(MessageKind.HAND)
    other = message(MessageKind.HAND, 2)
    hand.hold()
    queue.add(hand)
    queue.add(other)
    assert await queue.next() == other

    async with asyncio.TaskGroup() as tasks:
        waiting = tasks.create_task(queue.next())
        await asyncio.sleep(0)
        assert not waiting.done()
        hand.note(Released())
        queue.add(hand)
        assert await waiting == hand


async def done(work: Coroutine[None, None, None], clock: FakeClock) -> None:
    """Skips time until this is done."""
    async with asyncio.TaskGroup() as tasks:
        working = tasks.create_task(work)
        while not working.done():
            await asyncio.sleep(0)
            clock.skip(1.0)


async def test_what_goes_wrong_again_and_again_is_tried_less_and_less_often(clock: FakeClock) -> None:
    queue = ChatQueue(BUDGET, FREE)
    hand = message(MessageKind.HAND)
    tried = list[float]()

    async def send(_: Message, __: ChatQueue) -> bool:
        tried.append(clock.since_boot())
        if len(tried) < 10:
            raise ValueError("an answer that cannot be read")
        return True

    queue.add(hand)
    await done(queue.work(send), clock)
    pauses = [after - before for before, after in pairwise(tried)]
    assert pauses == pytest.approx([5, 10, 20, 40, 80, 160, 300, 300, 300], abs=2)


async def test_what_went_well_starts_with_a_short_rest_again(clock: FakeClock) -> None:
    queue = ChatQueue(BUDGET, FREE)
    hand = message(MessageKind.HAND)
    tried = list[float]()

    async def send(_: Message, __: ChatQueue) -> bool:
        tried.append(clock.since_boot())
        if len(tried) == 3:
            queue.add(hand)
        elif len(tried) < 5:
            raise ValueError("an answer that cannot be read")

        return True

    queue.add(hand)
    await done(queue.work(send), clock)
    assert [after - before for before, after in pairwise(tried)] == pytest.approx([5, 10, 0, 5], abs=2)


@pytest.mark.usefixtures("clock")
async def test_a_queue_goes_with_its_table_as_soon_as_nothing_is_lost_with_it() -> None:
    queues = ChatQueues({PLATFORM: Chat()})
    audiences = [Everyone(ROOM), Everyone(CELLAR)]
    resting, waiting = (queues.of(audience) for audience in audiences)
    call = message(MessageKind.CALL)
    waiting.add(call)

    queues.tidy(audiences)
    assert queues.of(Everyone(CELLAR)) is waiting
    assert queues.of(Everyone(ROOM)) is not resting
    assert await waiting.next() is call

    queues.tidy([])
    assert queues.of(Everyone(CELLAR)) is not waiting


@pytest.mark.usefixtures("clock")
async def test_a_queue_of_other_tables_is_not_looked_at() -> None:
    queues = ChatQueues({PLATFORM: Chat()})
    here = queues.of(Everyone(ROOM))
    elsewhere = queues.of(Everyone(CELLAR))
    queues.tidy([Everyone(ROOM)])
    assert queues.of(Everyone(CELLAR)) is elsewhere
    assert queues.of(Everyone(ROOM)) is not here


# --- the budget of the whole bot ---------------------------------------------------------------------------


def alone(number: int) -> Only:
    return Only(person(f"Anna {number}").ref, ROOM)


async def test_the_whole_bot_sends_by_rank_and_then_by_age(clock: FakeClock) -> None:
    calls = CallLimiter(Budget(seconds=1.0, burst=1))
    calls.take()
    queues = ChatQueues({PLATFORM: Chat(calls=calls)})
    sent = list[str]()

    async def send(message: Message, queue: ChatQueue) -> bool:
        queue.spend(message)
        sent.append(names[message])
        return True

    kinds = [
        ("onlooker", MessageKind.HAND, Urgency.CAN_WAIT),
        ("table", MessageKind.TABLE, Urgency.ORDINARY),
        ("helper", MessageKind.HAND, Urgency.UNHURRIED),
        ("hand", MessageKind.HAND, Urgency.ORDINARY),
        ("call", MessageKind.CALL, Urgency.ORDINARY),
        ("own hand", MessageKind.HAND, Urgency.PRESSED),
    ]
    names = dict[Message, str]()

    async with asyncio.TaskGroup() as tasks:
        for number, (name, kind, urgency) in enumerate(kinds):
            queue = queues.of(alone(number))
            one = message(kind, number)
            names[one] = name
            queue.add(one, urgency)
            tasks.create_task(queue.work(send))
            clock.skip(0.1)

        await run_down(clock)

    assert sent == ["own hand", "hand", "call", "helper", "table", "onlooker"]


async def test_an_old_edit_of_a_table_is_not_overtaken_for_ever(clock: FakeClock) -> None:
    calls = CallLimiter(Budget(seconds=1.0, burst=1))
    calls.take()
    queues = ChatQueues({PLATFORM: Chat(calls=calls)})
    sent = list[str]()

    async def send(message: Message, queue: ChatQueue) -> bool:
        queue.spend(message)
        sent.append(message.slot.part)
        return True

    async with asyncio.TaskGroup() as tasks:
        for number in range(int(4 * ROOM_WAITS)):
            kind = MessageKind.HAND if number else MessageKind.TABLE
            queue = queues.of(alone(number))
            queue.add(message(kind, number))
            tasks.create_task(queue.work(send))
            await asyncio.sleep(0)
            clock.skip(0.5)

        await run_down(clock)

    assert 0 < sent.index(MessageKind.TABLE) <= ROOM_WAITS / 0.5 + 1


async def test_many_answers_in_one_chat_hold_up_no_other(clock: FakeClock) -> None:
    calls = CallLimiter(Budget(seconds=1.0, burst=1))
    calls.take()
    queue = ChatQueues({PLATFORM: Chat(calls=calls)}).of(alone(1))
    sent = list[str]()

    async def answer(chat: str) -> None:
        async with calls.turn(chat):
            sent.append(chat)

    async def send(message: Message, queue: ChatQueue) -> bool:
        queue.spend(message)
        sent.append("a table")
        return True

    async with asyncio.TaskGroup() as tasks:
        for _ in range(2 * int(ROOM_WAITS)):
            tasks.create_task(answer("a busy room"))

        await asyncio.sleep(0)
        queue.add(message(MessageKind.TABLE, 1))
        tasks.create_task(queue.work(send))
        tasks.create_task(answer("another room"))
        await run_down(clock)

    assert sent[:2] == ["a busy room", "another room"]
    assert sent.index("a table") <= ROOM_WAITS + 2
    assert len(sent) == 2 * ROOM_WAITS + 2


async def test_what_needs_no_call_costs_the_others_nothing(clock: FakeClock) -> None:
    calls = CallLimiter(Budget(seconds=1.0, burst=1))
    queue = ChatQueues({PLATFORM: Chat(calls=calls)}).of(alone(1))
    looked_at = list[Message]()

    async def send(message: Message, _: ChatQueue) -> bool:
        looked_at.append(message)
        return True

    for number in range(5):
        queue.add(message(MessageKind.HAND, number))

    await queue.work(send)
    assert len(looked_at) == 5
    assert not calls.would_wait()

    calls.take()
    assert calls.would_wait()

    clock.skip(1.0)


async def test_calls_that_are_long_on_their_way_arrive_no_faster_than_allowed(clock: FakeClock) -> None:
    calls = CallLimiter(Budget(seconds=0.1, burst=2))
    admitted = list[float]()
    for number in range(30):
        calls.ask((0, number), lambda: admitted.append(clock.since_boot()))

    for _ in range(20):
        clock.skip(0.1)
        await asyncio.sleep(0)

    assert len(admitted) == 12, "none was answered, so all may arrive in one second"
    calls.end(12)
    for seconds, is_over in ((0.9, False), (0.2, True)):
        clock.skip(seconds)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert (len(admitted) > 12) is is_over


async def test_a_flood_that_no_chat_can_have_caused_makes_the_whole_bot_rest(clock: FakeClock) -> None:
    calls = CallLimiter(UNLIMITED)
    queues = ChatQueues({PLATFORM: Chat(calls=calls, budgets=BUDGETS)})
    queues.of(alone(1)).budget.spend(clock.since_boot())
    assert not calls.would_wait()

    queues.rest(alone(1), Throttled(7.0, is_flood=True))
    assert calls.would_wait()

    clock.skip(7.0)
    assert not calls.would_wait()


async def test_chats_that_were_sent_much_or_have_trouble_rest_alone(clock: FakeClock) -> None:
    calls = CallLimiter(UNLIMITED)
    queues = ChatQueues({PLATFORM: Chat(calls=calls, budgets=BUDGETS)})
    for number in (1, 2, 3):
        for _ in range(2):
            queues.of(alone(number)).budget.spend(clock.since_boot())
        queues.rest(alone(number), Throttled(7.0, is_flood=True))
        clock.skip(1.5)

    for number in (4, 5, 6):
        queues.of(alone(number)).budget.spend(clock.since_boot())
        queues.rest(alone(number), Throttled(7.0))

    assert not calls.would_wait()


async def test_two_chats_that_are_refused_in_one_moment_make_the_whole_bot_rest(clock: FakeClock) -> None:
    calls = CallLimiter(UNLIMITED)
    queues = ChatQueues({PLATFORM: Chat(calls=calls, budgets=BUDGETS)})
    for number in (1, 2):
        assert not calls.would_wait()
        for _ in range(2):
            queues.of(alone(number)).budget.spend(clock.since_boot())
        queues.rest(alone(number), Throttled(7.0, is_flood=True))

    assert calls.would_wait()


async def run_down(clock: FakeClock) -> None:
    """Skips much time, little by little."""
    for _ in range(600):
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        clock.skip(0.1)
