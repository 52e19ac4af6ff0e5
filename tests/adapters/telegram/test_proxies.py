"""Requests to the Bot API through the proxy of the environment."""

import ssl
from base64 import b64encode
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import trustme
from telegram.error import NetworkError

from adapters.port import AccessDeniedError
from adapters.telegram import request as aiohttp_request
from adapters.telegram.request import AiohttpRequest
from tests.adapters.forwarding_proxy import ForwardingProxy, forwarding_proxy
from tests.adapters.raw_http import RawServer, raw_server
from tests.adapters.telegram.requests import without_proxies

SECRET = "bot7:the-secret-of-the-bot"


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    without_proxies(monkeypatch)
    return monkeypatch


@pytest.fixture
async def proxy() -> AsyncIterator[ForwardingProxy]:
    async with forwarding_proxy() as proxy:
        yield proxy


@pytest.fixture
async def server(environment: pytest.MonkeyPatch, tmp_path: Path) -> AsyncIterator[RawServer]:
    """Runs a server with TLS, and trusts its certificate."""
    authority = trustme.CA()
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("127.0.0.1").configure_cert(tls)
    authority.cert_pem.write_to_path(str(tmp_path / "authority.pem"))
    environment.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
    aiohttp_request.trusted_certificates.cache_clear()

    async with raw_server(tls=tls) as server:
        yield server

    aiohttp_request.trusted_certificates.cache_clear()


async def ask(url: str) -> object:
    async with AiohttpRequest(url) as request:
        return await request.post(f"{url}/{SECRET}/getMe")


async def test_without_a_proxy_the_certificates_that_the_owner_trusts_are_trusted(server: RawServer) -> None:
    assert await ask(server.url) is True


async def test_a_certificate_that_nobody_trusts_ends_the_request_before_anything_is_sent(
    server: RawServer, environment: pytest.MonkeyPatch
) -> None:
    environment.delenv("SSL_CERT_FILE")
    with pytest.raises(NetworkError, match=r"certificate is not trusted.*nothing was sent"):
        await ask(server.url)
    assert not server.requests


@pytest.mark.parametrize("variable", ["HTTPS_PROXY", "https_proxy", "ALL_PROXY"])
async def test_https_goes_through_a_tunnel_in_which_the_proxy_reads_nothing(
    variable: str, proxy: ForwardingProxy, server: RawServer, environment: pytest.MonkeyPatch
) -> None:
    environment.setenv(variable, f"http://{proxy.address}")
    assert await ask(server.url) is True
    (asked,) = proxy.requests
    assert asked.line.startswith("CONNECT 127.0.0.1:")
    assert SECRET not in repr(asked)
    assert [request.line for request in server.requests] == [f"POST /{SECRET}/getMe HTTP/1.1"]


async def test_a_tunnel_that_is_refused_is_told_with_no_secret_in_it(
    proxy: ForwardingProxy, server: RawServer, environment: pytest.MonkeyPatch
) -> None:
    environment.setenv("HTTPS_PROXY", f"http://anna:sesame@{proxy.address}")
    proxy.refuses = True
    with pytest.raises(NetworkError, match="nothing was sent") as refused:
        await ask(server.url)

    assert SECRET not in str(refused.value)
    assert "sesame" not in str(refused.value)
    assert not server.requests


async def test_a_bot_api_of_ones_own_is_asked_through_the_proxy_with_its_password(
    proxy: ForwardingProxy, environment: pytest.MonkeyPatch
) -> None:
    environment.setenv("HTTP_PROXY", f"anna:sesame@{proxy.address}")
    assert await ask("http://bot-api.example.org:8081") is True
    (asked,) = proxy.requests
    assert asked.line == f"POST http://bot-api.example.org:8081/{SECRET}/getMe HTTP/1.1"
    assert asked.headers["proxy-authorization"] == f"Basic {b64encode(b'anna:sesame').decode()}"


@pytest.mark.parametrize("exempt", ["127.0.0.1", "*", "example.org, 127.0.0.1"])
async def test_no_proxy_names_what_is_asked_directly(
    exempt: str, proxy: ForwardingProxy, environment: pytest.MonkeyPatch
) -> None:
    environment.setenv("ALL_PROXY", f"http://{proxy.address}")
    environment.setenv("NO_PROXY", exempt)
    async with raw_server() as server:
        assert await ask(server.url) is True
        assert (len(server.requests), len(proxy.requests)) == (1, 0)


async def test_a_proxy_of_another_kind_is_refused_in_a_sentence(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("ALL_PROXY", "socks5://127.0.0.1:1080")
    with pytest.raises(AccessDeniedError, match="ALL_PROXY should begin with http://"):
        await ask("https://api.telegram.org")
