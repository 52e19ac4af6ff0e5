"""Who is asked to take part in the shuffle, and who can answer."""

import asyncio
import json

from adapters.port import UserRef
from tests.adapters.contract import eventually
from tests.adapters.web_client import Company, Visitor
from tests.adapters.web_site import Site
from tests.adapters.web_steps import devices


async def test_who_has_no_page_open_is_not_waited_for(site: Site) -> None:
    assert await devices(site).commit(UserRef("web", "nobody"), site.room) == ""


async def test_only_who_was_asked_can_answer_and_only_with_64_digits(
    site: Site, company: Company, anna: Visitor
) -> None:
    boris = await company.newcomer(site.url, "Boris")
    answer = asyncio.create_task(devices(site).commit(UserRef("web", anna.id), site.room))
    await eventually(lambda: bool(questions(anna)))
    (question,) = questions(anna)
    assert not list(questions(boris))
    await boris.send("lots", {"question": question, "answer": "b" * 64})
    await anna.send("lots", {"question": "99", "answer": "c" * 64})
    assert not answer.done()
    await anna.send("lots", {"question": question, "answer": "a" * 64})
    assert await answer == "a" * 64
    assert (await anna.send("lots", {"question": question, "answer": "a" * 64}))[0] == 200


async def test_pages_that_have_nothing_to_say_are_not_waited_for(site: Site, anna: Visitor) -> None:
    answer = asyncio.create_task(devices(site).commit(UserRef("web", anna.id), site.room))
    await eventually(lambda: bool(questions(anna)))
    await anna.send("lots", {"question": questions(anna)[0], "answer": "no"})
    assert await answer == ""


def questions(visitor: Visitor) -> list[str]:
    """Return what the visitor's page was asked about the shuffle."""
    frames = [json.loads(frame) for frame in visitor.frames]
    return [frame["question"] for frame in frames if frame["type"] == "commit"]
