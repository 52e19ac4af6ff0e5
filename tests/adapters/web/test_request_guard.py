"""The page's guard: accepted origins and secrets, and the host names that it is served under."""

import asyncio
import hashlib
import re
import socket
from collections.abc import AsyncIterator

import pytest
from aiohttp import ClientResponse, WSMsgType, WSServerHandshakeError

from adapters.web.server import PAGE, PAGE_FILES
from tests.adapters.web.client import Company, Visitor
from tests.adapters.web.site import Site, web_site


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    async with web_site(host="Durak.Example") as site:
        yield site


async def get(company: Company, url: str, **headers: str) -> ClientResponse:
    async with company.session.get(url, headers=headers, allow_redirects=False) as response:
        await response.read()
        return response


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1:80", "localhost", "LOCALHOST:1", "a.localhost", "[::1]:80", "192.168.1.7",
     "durak.example:443", socket.gethostname(), f"{socket.gethostname()}.local:8080"],
)  # fmt: skip
async def test_the_page_is_served_under_names_nobody_else_can_have(
    site: Site, company: Company, host: str
) -> None:
    assert (await get(company, site.url, Host=host)).status == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "durak.example.evil", "[::1",
     "127.0.0.1:80.evil.example", "localhost@evil.example", "127.1", ""],
)  # fmt: skip
async def test_under_any_other_name_nothing_is_served(
    site: Site, company: Company, anna: Visitor, host: str
) -> None:
    assert (await get(company, site.url, Host=host)).status in {400, 403}
    status, _ = await anna.send("lines", {"text": "/durak"}, Host=host, Origin=f"http://{host}")
    assert status in {400, 403}
    assert not site.inbox.commands


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "", "http://127.0.0.1", "http://127.0.0.1:1", "http://[::1", "ftp://{host}",
     "http://{host}.evil.example", "http://evil.example@{host}", "{host}"],
)  # fmt: skip
@pytest.mark.parametrize("what", ["guests", "lines", "presses", "dismissals"])
async def test_a_change_from_another_origin_is_refused(
    site: Site, anna: Visitor, what: str, origin: str
) -> None:
    host = site.url.split("/")[2]
    body = {"name": "Eve", "text": "/stop", "token": "t", "message": "1"}
    status, answer = await anna.send(what, body, Origin=origin.format(host=host))
    assert (status, answer) == (403, {"error": "This request comes from another page."})
    assert not [*site.inbox.commands, *site.inbox.pressed]
    assert len(await site.store.guests()) == 1


async def test_a_stream_from_another_origin_is_refused(site: Site, company: Company) -> None:
    with pytest.raises(WSServerHandshakeError, match="403"):
        await company.session.ws_connect(f"{site.url}/stream", headers={"Origin": "http://evil.example"})


@pytest.mark.parametrize("secret", ["", "wrong", "x" * 129])
async def test_without_a_known_secret_nothing_is_done(site: Site, anna: Visitor, secret: str) -> None:
    for what, body in (
        ("lines", {"text": "/durak"}),
        ("presses", {"token": "t", "message": "1"}),
        ("dismissals", {"message": "1"}),
    ):
        status, answer = await anna.send(what, body, Authorization=f"Bearer {secret}")
        assert status == 401
        assert "Nobody knows you here" in answer["error"]

    assert not [*site.inbox.commands, *site.inbox.pressed]


async def test_a_secret_that_is_no_text_is_unknown_too(site: Site) -> None:
    host = site.url.split("/")[2]
    reader, writer = await asyncio.open_connection(*host.split(":"))
    lines = [f"Host: {host}", f"Origin: http://{host}", "Content-Length: 0", "Connection: close"]
    request = "\r\n".join(["POST /r/main/lines HTTP/1.1", *lines, "Authorization: Bearer "])
    writer.write(request.encode() + b"\xff\xed\xa0\x80\r\n\r\n")
    assert (await reader.read()).startswith(b"HTTP/1.1 401 ")
    writer.close()


@pytest.mark.parametrize(
    "greeting",
    ['{"secret": "wrong"}', "{}", "[]", "7", "no JSON", '{"secret": 7}', '{"secret": "\\ud800"}', "[" * 1000,
     "x" * 2000],
)  # fmt: skip
async def test_a_stream_without_a_known_secret_tells_nothing(
    site: Site, anna: Visitor, greeting: str
) -> None:
    async with anna.session.ws_connect(f"{site.url}/stream", headers=anna.headers) as stream:
        await stream.send_str(greeting)
        message = await stream.receive()
        assert message.type in {WSMsgType.CLOSE, WSMsgType.CLOSED}
        assert stream.close_code in {4401, 1009}


async def test_only_a_hash_of_the_secret_is_kept(site: Site, anna: Visitor) -> None:
    (guest,) = await site.store.guests()
    assert guest.secret_hash == hashlib.sha256(anna.secret.encode()).hexdigest()
    assert len(anna.secret) >= 32
    assert anna.secret not in "".join(anna.frames)
    assert guest.secret_hash not in repr(guest)
    assert guest.secret_hash not in "".join(anna.frames)


async def test_the_page_runs_no_foreign_script_and_stands_in_no_frame(site: Site, company: Company) -> None:
    root = site.url.removesuffix("/r/main")
    for path in ("/r/main", *(f"/page/{name}" for name in PAGE_FILES)):
        response = await get(company, root + path)
        assert response.status == 200

        policy = response.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert response.headers["Referrer-Policy"] == "no-referrer"


def test_nothing_in_the_page_reads_text_as_markup() -> None:
    for file in (file for file in PAGE.iterdir() if file.suffix != ".png"):
        source = file.read_text()
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|\bstyle=|\son\w+=\"", source
        )
        assert not re.search(r"(src|href)=\"(https?:)?//", source), "the page fetches nothing from elsewhere"


@pytest.mark.parametrize(
    "path", ["/page/index.html", "/page/nothing.js", "/page/..%2fadapter.py", "/r/", "/r/a%2fb"]
)
async def test_only_the_page_s_own_files_are_served(site: Site, company: Company, path: str) -> None:
    assert (await get(company, site.url.removesuffix("/r/main") + path)).status == 404


async def test_the_front_door_leads_to_the_main_room(site: Site, company: Company) -> None:
    response = await get(company, site.url.removesuffix("r/main"))
    assert (response.status, response.headers["Location"]) == (302, "/r/main")


async def test_where_the_page_is_encrypted_a_plain_origin_of_its_name_is_refused(company: Company) -> None:
    async with web_site(public_url="https://durak.example") as site:
        for origin, status in (
            ("http://durak.example", 403),
            ("https://durak.example", 201),
        ):
            async with company.session.post(
                f"{site.url}/guests",
                json={"name": "Anna"},
                headers={"Host": "durak.example", "Origin": origin},
            ) as answer:
                assert answer.status == status

        local = site.url.removesuffix("/r/main")
        async with company.session.post(
            f"{site.url}/guests", json={"name": "Anna"}, headers={"Origin": local}
        ) as answer:
            assert answer.status == 201  # at an address of the machine itself, none is needed


@pytest.mark.parametrize("path", ["/r/main", "/nothing/here", "/games/1-1", "/page/none.js"])
async def test_every_answer_is_guarded_by_its_headers_and_hides_what_serves_it(
    site: Site, company: Company, path: str
) -> None:
    answer = await get(company, site.url.removesuffix("/r/main") + path)
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["X-Robots-Tag"] == "noindex, nofollow"
    assert "Server" not in answer.headers


async def test_search_engines_are_asked_to_leave_rooms_and_replays_alone(
    site: Site, company: Company
) -> None:
    async with company.session.get(site.url.removesuffix("/r/main") + "/robots.txt") as answer:
        text = await answer.text()
    assert {"Disallow: /games/", "Disallow: /r/", "Disallow: /facts/"} <= set(text.splitlines())
