"""A page behind a reverse proxy: its host names, and the addresses that its limits count."""

from collections.abc import AsyncIterator
from ipaddress import ip_network

import pytest
from aiohttp.test_utils import make_mocked_request

from adapters.web import TrustedProxies
from adapters.web.request_guard import network_of
from tests.adapters.web.client import Visitor
from tests.adapters.web.site import Site, web_site

PUBLIC = "https://durak.example"
BEHIND = TrustedProxies(is_expected=True, networks=(ip_network("10.0.0.0/8"),))


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    async with web_site(public_url=PUBLIC, proxies=BEHIND) as site:
        yield site


@pytest.mark.parametrize("host", ["durak.example", "127.0.0.1:8080"])
async def test_the_public_address_is_known_as_host_and_as_origin(
    site: Site, anna: Visitor, host: str
) -> None:
    status, _ = await anna.send("lines", {"text": "/durak"}, Host=host, Origin=PUBLIC)
    assert (status, len(site.inbox.commands)) == (200, 1)


@pytest.mark.parametrize(
    "origin", ["http://durak.example", f"{PUBLIC}:444", f"{PUBLIC}.evil.example", "https://x"]
)
async def test_no_other_origin_is(site: Site, anna: Visitor, origin: str) -> None:
    status, _ = await anna.send("lines", {"text": "/durak"}, Origin=origin)
    assert (status, len(site.inbox.commands)) == (403, 0)


@pytest.mark.parametrize(
    ("peer", "said", "client"),
    [
        ("127.0.0.1", "203.0.113.9", "203.0.113.9"),
        ("::1", "203.0.113.9", "203.0.113.9"),
        ("10.1.2.3", "203.0.113.9, 10.9.9.9", "203.0.113.9"),
        ("127.0.0.1", "1.2.3.4, 203.0.113.9", "203.0.113.9"),
        ("127.0.0.1", "", "127.0.0.1"),
        ("127.0.0.1", "10.0.0.1", "127.0.0.1"),
        ("203.0.113.1", "203.0.113.9", "203.0.113.1"),
    ],
)
def test_a_proxy_is_believed_about_the_nearest_address_that_is_no_proxy_s(
    peer: str, said: str, client: str
) -> None:
    headers = {"X-Forwarded-For": said} if said else {}
    request = make_mocked_request("GET", "/", headers).clone(remote=peer)
    assert network_of(BEHIND.without_proxies(request)) == client


def test_without_a_public_address_nobody_is_believed() -> None:
    request = make_mocked_request("GET", "/", {"X-Forwarded-For": "203.0.113.9"}).clone(remote="127.0.0.1")
    assert network_of(TrustedProxies().without_proxies(request)) == "127.0.0.1"


async def test_guests_behind_a_proxy_are_counted_one_by_one(site: Site, anna: Visitor) -> None:
    site.monotonic = 0.0
    asked = [
        await anna.send("guests", {"name": "Eve"}, X_Forwarded_For=address)
        for address in (*["203.0.113.1"] * 31, "203.0.113.2")
    ]
    assert [status for status, _ in asked[-3:]] == [201, 429, 201]
