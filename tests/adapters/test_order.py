"""The order of the answers to one person, and how long it is kept."""

import asyncio

import pytest

from adapters.port import AnswerOrder, UserRef, order

ANNA = UserRef("chat", "anna")
BORIS = UserRef("chat", "boris")


async def answered(who: UserRef, answers: AnswerOrder, shown: asyncio.Event | None = None) -> None:
    """Answers a person, once the answer may be `shown`."""
    async with answers.turn(who):
        if shown is not None:
            await shown.wait()


async def test_a_person_waits_for_their_own_answers_alone() -> None:
    answers = AnswerOrder()
    may_be_shown = asyncio.Event()
    async with asyncio.TaskGroup() as tasks:
        first = tasks.create_task(answered(ANNA, answers, may_be_shown))
        second = tasks.create_task(answered(ANNA, answers))
        await answered(BORIS, answers)
        assert not first.done()
        assert not second.done()
        may_be_shown.set()


async def test_an_answer_that_is_held_up_is_overtaken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order, "PATIENCE_SECONDS", 0.01)
    answers = AnswerOrder()
    may_be_shown = asyncio.Event()
    async with asyncio.TaskGroup() as tasks:
        held_up = tasks.create_task(answered(ANNA, answers, may_be_shown))
        await tasks.create_task(answered(ANNA, answers))
        assert not held_up.done()
        may_be_shown.set()

    await answered(ANNA, answers)
