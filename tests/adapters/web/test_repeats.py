"""A request that is repeated because its answer was lost is carried out once."""

import asyncio

import pytest

from adapters.port import Reply, UserRef
from tests.adapters.contract import eventually
from tests.adapters.contract.steps import says
from tests.adapters.web.client import Visitor
from tests.adapters.web.site import Site
from tests.adapters.web.steps import posted

NAME = "0123456789abcdef"
OTHER = "fedcba9876543210"


async def test_a_line_is_said_once_also_after_a_restart(site: Site, anna: Visitor) -> None:
    line = {"text": "Hello", "name": NAME}
    for _ in range(2):
        assert await anna.send("lines", line) == (200, {})

    await site.restart()
    assert await anna.send("lines", line) == (200, {})
    assert await anna.send("lines", line | {"name": OTHER}) == (200, {})

    texts = [message.content["text"] for message in await site.store.history("main", None, 9)]
    assert texts == ["Hello", "Hello"]


async def test_a_press_is_made_once_and_has_one_answer(site: Site, anna: Visitor) -> None:
    table = await posted(site, says("table", "Join"))
    site.inbox.reply = Reply(toast="You sit")

    press = {"message": table.opaque, "token": "t:Join", "name": NAME}
    answers = await asyncio.gather(*(anna.send("presses", press) for _ in range(3)))
    site.inbox.reply = Reply(toast="You sit already")
    answers.append(await anna.send("presses", press))

    assert answers == [(200, {"toast": "You sit"})] * 4
    assert len(site.inbox.pressed) == 1

    assert await anna.send("presses", press | {"name": OTHER}) == (200, {"toast": "You sit already"})
    assert len(site.inbox.pressed) == 2


async def test_a_press_counts_also_if_its_page_is_left_before_the_answer(
    site: Site, anna: Visitor, caplog: pytest.LogCaptureFixture
) -> None:
    table = await posted(site, says("table", "Join"))
    press = {"message": table.opaque, "token": "t:Join", "name": NAME}
    site.inbox.slow_for = UserRef("web", anna.id)
    site.inbox.reply = Reply(toast="You sit")

    pressing = asyncio.create_task(anna.send("presses", press))
    await eventually(lambda: site.inbox.pressed)
    pressing.cancel()
    await asyncio.wait([pressing])
    await anna.send("lines", {"text": "Hello", "name": OTHER})  # the server sees that the line ended
    site.inbox.may_answer.set()

    assert await anna.send("presses", press) == (200, {"toast": "You sit"})
    assert len(site.inbox.pressed) == 1
    assert not caplog.records


async def test_what_was_refused_may_be_tried_again(site: Site, anna: Visitor) -> None:
    press = {"message": "1", "token": "t:Join", "name": NAME}
    assert (await anna.send("presses", press))[0] == 404
    await posted(site, says("table", "Join"))
    assert (await anna.send("presses", press))[0] == 200


@pytest.mark.parametrize("name", ["x" * 16, "0" * 15, "0" * 33, 7])
async def test_a_request_cannot_be_called_anything(anna: Visitor, name: object) -> None:
    status, _ = await anna.send("lines", {"text": "Hello", "name": name})
    assert status == 400


async def test_no_answer_outlives_somebody_who_is_forgotten(site: Site, anna: Visitor) -> None:
    table = await posted(site, says("table", "Join"))
    site.inbox.reply = Reply(toast="Boris sits there")
    press = {"message": table.opaque, "token": "t:Join", "name": NAME}
    await anna.send("presses", press)
    await site.adapter.forget_person(UserRef("web", "boris"), ["Boris"])
    site.inbox.reply = Reply(toast="You sit")
    assert await anna.send("presses", press) == (200, {"toast": "You sit"})
