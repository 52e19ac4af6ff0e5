"""Limits of the requests to the page, and its answers to malformed ones."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any
from urllib.parse import urlsplit

import pytest
from aiohttp.test_utils import make_mocked_request

from adapters.port import Everyone, Screen, Span
from adapters.web import inbound
from adapters.web.event_streams import (
    LANGUAGE_SECONDS,
    MAX_CHARACTERS,
    MAX_WAITING,
    EventStream,
    EventStreams,
)
from adapters.web.handlers import MAX_PAGES_OF_A_NETWORK, QUESTIONS
from adapters.web.request_guard import network_of
from adapters.web.sessions import INVITATIONS
from adapters.web.store import Guest
from tests.adapters.contract.steps import says
from tests.adapters.web.client import Company, Visitor, visitors
from tests.adapters.web.site import Site, web_site
from tests.adapters.web.steps import posted


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    async with web_site() as site:
        site.monotonic = 0.0  # however slow the machine is that runs this
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


async def test_nobody_chooses_the_id_of_what_they_do(site: Site, anna: Visitor) -> None:
    for _ in range(2):
        await anna.send("lines", {"text": "/rules", "event": "0af3-0af3"})
    ids = {command.id for command in site.inbox.commands}
    assert len(ids) == 2
    assert "0af3-0af3" not in ids


@pytest.mark.parametrize("raw", [b"", b"[]", b"{", b"\xff", b"[" * 9000, b"1" * 9000, b"null"])
async def test_a_body_that_is_no_object_is_refused(anna: Visitor, raw: bytes) -> None:
    headers = anna.headers | {"Content-Type": "application/json"}
    async with anna.session.post(f"{anna.url}/lines", data=raw, headers=headers) as response:
        assert (response.status, await response.json()) == (400, {"error": "Bad request."})


async def test_a_form_of_another_page_is_not_read(anna: Visitor) -> None:
    body = json.dumps({"text": "/stop"})
    headers = anna.headers | {"Content-Type": "text/plain"}
    async with anna.session.post(f"{anna.url}/lines", data=body, headers=headers) as response:
        assert response.status == 415


async def test_who_talks_without_pause_is_asked_to_slow_down(site: Site, anna: Visitor) -> None:
    answers = [await anna.send("lines", {"text": f"line {n}"}) for n in range(11)]
    assert [status for status, _ in answers] == [200] * 10 + [429]
    assert answers[-1][1] == {"error": "Not so fast, please: try again in a second."}
    site.monotonic = 1.0
    assert (await anna.send("lines", {"text": "line 11"}))[0] == 200


async def test_who_presses_faster_than_a_finger_can_is_asked_to_slow_down(
    site: Site, company: Company, anna: Visitor
) -> None:
    boris = await company.newcomer(site.url, "Boris")
    table = await posted(site, says("table", "Join"))
    press = {"token": "t:Join", "message": table.opaque}
    answers = [await anna.send("presses", press) for _ in range(41)]
    assert [status for status, _ in answers] == [200] * 40 + [429]
    assert answers[-1][1] == {"error": "Not so fast, please: try again in a second."}
    assert (await boris.send("presses", press))[0] == 200
    assert len(site.inbox.pressed) == 41


async def test_one_address_sends_no_more_than_a_company_would(site: Site, anna: Visitor) -> None:
    anna.secret = "unknown"
    statuses = [(await anna.send("dismissals", {"message": "1"}))[0] for _ in range(201)]
    assert statuses.index(429) in range(190, 200)  # Anna's earlier requests count, too
    async with visitors("127.0.0.2") as others:
        await others.newcomer(site.url, "Boris")


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
        assert (late.connects, late.closed_with) == (0, 4429)
        assert late.closed_because == "You have too many pages open. Close some of them."
        assert (await site.adapter.post(Everyone(site.room), Screen((Span("still served"),)))) is not None


async def test_a_page_that_is_closed_makes_room_for_another(site: Site, anna: Visitor) -> None:
    """Allows any number of reloads, to one guest and to all guests of one address."""
    for _ in range(MAX_PAGES_OF_A_NETWORK + 1):
        async with anna.session.ws_connect(f"{site.url}/stream", headers=anna.headers) as page:
            await page.send_json({"secret": anna.secret})
            assert (await page.receive_json())["type"] == "all"


async def test_one_address_opens_no_more_than_a_hundred_pages(site: Site, anna: Visitor) -> None:
    """Also counts a connection that has not identified its page yet."""
    async with AsyncExitStack() as pages:
        for _ in range(99):
            await pages.enter_async_context(
                anna.session.ws_connect(f"{site.url}/stream", headers=anna.headers)
            )

        async with visitors() as company:
            late = await company.opens(anna.another_page())
            assert (late.connects, late.closed_with) == (0, 4429)
            assert late.closed_because == "Too many pages are open at your address. Close some of them."

        async with visitors("127.0.0.2") as others:
            await others.newcomer(site.url, "Boris")


async def test_a_body_that_does_not_end_is_not_waited_for(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbound, "BODY_SECONDS", 0.05)
    host = urlsplit(site.url).netloc
    reader, writer = await asyncio.open_connection(*host.split(":"))
    lines = [f"Host: {host}", f"Origin: http://{host}", "Content-Type: application/json", "Content-Length: 9"]
    writer.write("\r\n".join(["POST /r/main/guests HTTP/1.1", *lines, "", "{"]).encode())
    answer = await reader.readuntil(b"try again.")
    assert answer.startswith(b"HTTP/1.1 408 ")
    writer.close()


@pytest.mark.parametrize(
    ("one", "other", "is_one_household"),
    [
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8::1", "2001:db8::2:3:4:5", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
    ],
)
def test_a_household_is_known_by_its_address(one: str, other: str, is_one_household: bool) -> None:
    addresses = {
        network_of(make_mocked_request("GET", "/").clone(remote=address)) for address in (one, other)
    }
    assert (len(addresses) == 1) is is_one_household


def test_what_a_request_says_about_its_origin_is_not_believed() -> None:
    headers = {"X-Forwarded-For": "192.0.2.7", "Forwarded": "for=192.0.2.7"}
    request = make_mocked_request("GET", "/", headers=headers).clone(remote="127.0.0.1")
    assert network_of(request) == "127.0.0.1"


def stream() -> EventStream:
    return EventStream(Guest("a1", "Anna", "0" * 64, 1.0, 1.0), "main", "en")


def test_a_room_is_written_in_the_language_of_a_reader_who_has_just_left() -> None:
    now = [0.0]
    streams = EventStreams(lambda: now[0])
    page = stream()
    streams.add(page)
    streams.remove(page)
    assert streams.languages("main") == {"en"}
    assert streams.languages("other") == set()

    now[0] = LANGUAGE_SECONDS
    assert streams.languages("main") == set()


async def test_a_page_that_does_not_read_is_closed_before_it_holds_too_many_frames() -> None:
    slow = stream()
    streams = EventStreams()
    streams.add(slow)

    for number in range(MAX_WAITING):
        streams.send("main", None, {"n": number})

    assert await slow.next() == '{"n":0}'
    streams.send("main", None, {})
    streams.send("main", None, {})
    assert await slow.next() is None


async def test_a_page_that_does_not_read_is_closed_before_it_holds_too_much_text() -> None:
    slow = stream()
    slow.push({"long": "x" * MAX_CHARACTERS})
    taken = await slow.next()
    assert taken is not None, "one long frame is sent all the same"

    slow.push({"long": "x" * (MAX_CHARACTERS - 100)})
    slow.push({"long": "x" * 200})
    assert await slow.next() is None

    slow.push({"late": True})
    assert await slow.next() is None


@pytest.mark.parametrize("what", ["rooms", "own", "rules", "rule-sets", "addresses"])
async def test_no_question_of_the_page_is_answered_without_end(site: Site, anna: Visitor, what: str) -> None:
    statuses = set()
    for _ in range(QUESTIONS.burst + 1):
        async with anna.session.get(f"{site.url}/{what}", headers=anna.headers) as response:
            statuses.add(response.status)
    assert statuses == {200, 429}


async def test_no_guest_has_qr_codes_drawn_without_end(anna: Visitor) -> None:
    statuses = [await status_of_code(anna) for _ in range(INVITATIONS.burst + 1)]
    assert statuses == [200] * INVITATIONS.burst + [429]


async def status_of_code(anna: Visitor) -> int:
    body = {"link": anna.url}
    async with anna.session.post(f"{anna.url}/qr-code", json=body, headers=anna.headers) as response:
        return response.status
