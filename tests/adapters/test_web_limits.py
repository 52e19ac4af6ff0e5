"""How much anybody may send to the page, and what becomes of nonsense."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from adapters.port import Everyone, Screen, Span
from adapters.web.store import Guest
from adapters.web.streams import MOST_CHARACTERS, MOST_WAITING, Stream, Streams
from tests.adapters.web_site import Site, web_site
from tests.adapters.web_visitor import Visitor, visitors


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    async with web_site(most_guests=4) as site:
        yield site


BAD: list[tuple[str, dict[str, Any], int]] = [
    ("guests", {}, 400),
    ("guests", {"name": " \t\u200b\u202e"}, 400),
    ("guests", {"name": "x" * 65}, 400),
    ("guests", {"name": 7}, 400),
    ("guests", {"name": "\ud800"}, 400),
    ("lines", {}, 400),
    ("lines", {"text": "  "}, 400),
    ("lines", {"text": "x" * 1001}, 400),
    ("lines", {"text": "x" * 20_000}, 413),
    ("presses", {"token": "t"}, 400),
    ("presses", {"token": "x" * 65, "message": "1"}, 400),
    ("presses", {"token": "ж" * 33, "message": "1"}, 400),
    ("presses", {"token": "t", "message": "-1"}, 400),
    ("presses", {"token": "t", "message": "²"}, 400),
    ("presses", {"token": "t", "message": "9" * 19}, 400),
    ("presses", {"token": "t", "message": "9" * 18}, 404),
    ("dismissals", {"message": None}, 400),
]


@pytest.mark.parametrize(("what", "body", "expected"), BAD)
async def test_what_makes_no_sense_is_refused_with_a_sentence(
    site: Site, anna: Visitor, what: str, body: dict[str, Any], expected: int
) -> None:
    status, answer = await anna.send(what, body)
    assert status == expected
    assert answer["error"].endswith(".")
    assert not [*site.inbox.commands, *site.inbox.pressed]


async def test_an_event_keeps_the_id_that_the_browser_drew(site: Site, anna: Visitor) -> None:
    await anna.send("lines", {"text": "/rules", "event": "0af3-" * 12})
    assert site.inbox.commands[0].id == "0af3-" * 12


@pytest.mark.parametrize("event", [None, 12345678, "", "short", "x" * 65, "with space", "1234567\n", "ж" * 9])
async def test_an_event_without_a_proper_id_gets_one(site: Site, anna: Visitor, event: object) -> None:
    for _ in range(2):
        await anna.send("lines", {"text": "/rules", "event": event})
    first, second = (command.id for command in site.inbox.commands)
    assert first != second
    assert event not in (first, second)


@pytest.mark.parametrize("raw", [b"", b"[]", b"{", b"\xff", b"[" * 9000, b"1" * 9000, b"null"])
async def test_a_body_that_is_no_object_is_refused(anna: Visitor, raw: bytes) -> None:
    headers = anna.headers | {"Content-Type": "application/json"}
    async with anna.session.post(f"{anna.url}/lines", data=raw, headers=headers) as response:
        assert (response.status, await response.json()) == (400, {"error": "That is no JSON object."})


async def test_a_form_of_another_page_is_not_read(anna: Visitor) -> None:
    body = json.dumps({"text": "/stop"})
    headers = anna.headers | {"Content-Type": "text/plain"}
    async with anna.session.post(f"{anna.url}/lines", data=body, headers=headers) as response:
        assert response.status == 415


async def test_guests_are_not_let_in_without_end(anna: Visitor) -> None:
    for _ in range(3):
        await anna.send("guests", {"name": "Eve"})
    status, answer = await anna.send("guests", {"name": "Eve"})
    assert (status, answer["error"]) == (409, "There is no room for more guests on this page.")


async def test_who_talks_without_pause_is_asked_to_slow_down(anna: Visitor) -> None:
    statuses = [(await anna.send("lines", {"text": f"line {n}"}))[0] for n in range(15)]
    assert statuses[:10] == [200] * 10
    assert 429 in statuses


async def test_while_the_bot_starts_the_page_says_so() -> None:
    site = Site()
    await site.serve()
    try:
        async with visitors() as company:
            visitor = Visitor(company.session, site.url)
            await visitor.come_in("Early")
            status, answer = await visitor.send("lines", {"text": "/durak"})
            assert (status, answer["error"][:16]) == (503, "The game is just")
            assert not site.adapter.ready
    finally:
        await site.stop()


async def test_one_guest_opens_no_more_than_a_dozen_pages(site: Site, anna: Visitor) -> None:
    async with visitors() as company:
        for _ in range(11):
            await company.opens(anna.another_page())
        late = await company.opens(anna.another_page())
        assert (late.connects, late.closed_with) == (0, 1013)
        assert (await site.adapter.post(Everyone(site.room), Screen((Span("still served"),)))) is not None


def stream() -> Stream:
    return Stream(Guest("a1", "Anna", "0" * 64, 1.0), "main")


async def test_a_page_that_does_not_read_is_closed_before_it_holds_too_many_frames() -> None:
    slow, streams = stream(), Streams()
    streams.add(slow)
    for number in range(MOST_WAITING):
        streams.send("main", None, {"n": number})
    assert await slow.next() == '{"n":0}'
    streams.send("main", None, {})
    streams.send("main", None, {})
    assert await slow.next() is None


async def test_a_page_that_does_not_read_is_closed_before_it_holds_too_much_text() -> None:
    slow = stream()
    slow.push({"long": "x" * MOST_CHARACTERS})
    taken = await slow.next()
    assert taken is not None, "one long frame is sent all the same"
    slow.push({"long": "x" * (MOST_CHARACTERS - 100)})
    slow.push({"long": "x" * 200})
    assert await slow.next() is None
    slow.push({"late": True})
    assert await slow.next() is None
