"""The reasons why a chat's server can't be reached, derived from the errors of real connections."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import aiohttp
import pytest
import trustme

from adapters.port import outages, why_answered_so, why_unreachable

Answering = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]

CLOSED = "127.0.0.1:1"


def answers(text: str) -> Answering:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(text.encode())
        writer.close()

    return answer


async def says_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read()
    writer.close()


@asynccontextmanager
async def server(answer: Answering, certificate: ssl.SSLContext | None = None) -> AsyncIterator[str]:
    answering = set[asyncio.Task[None]]()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        answering.add(task)
        with suppress(ConnectionError):
            await answer(reader, writer)
            await writer.wait_closed()

    async with await asyncio.start_server(serve, "127.0.0.1", 0, ssl=certificate) as listening:
        yield f"127.0.0.1:{listening.sockets[0].getsockname()[1]}"
        await asyncio.gather(*answering)


async def why(url: str, *, proxy: str | None = None, seconds: float = 5.0) -> str:
    timeout = aiohttp.ClientTimeout(total=seconds)
    async with aiohttp.ClientSession(timeout=timeout) as session:
        try:
            await session.get(url, proxy=proxy)
        except Exception as error:
            return why_unreachable(error)

    return ""


async def test_a_name_that_nobody_knows() -> None:
    assert await why("https://no.such.host.invalid/") == outages.NO_NAME


async def test_a_closed_port() -> None:
    assert await why(f"http://{CLOSED}/") == outages.REFUSED


async def test_a_proxy_that_is_not_there_and_one_that_refuses() -> None:
    assert await why("https://api.example/", proxy=f"http://{CLOSED}") == outages.NO_PROXY
    async with server(answers("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")) as proxy:
        assert await why("https://api.example/", proxy=f"http://{proxy}") == outages.PROXY_REFUSES


async def test_a_certificate_that_nobody_trusts() -> None:
    certificate = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    trustme.CA().issue_cert("127.0.0.1").configure_cert(certificate)
    async with server(says_nothing, certificate) as address:
        assert await why(f"https://{address}/") == outages.NOT_TRUSTED


async def test_a_server_without_encryption() -> None:
    async with server(answers("HTTP/1.1 200 OK\r\n\r\n" * 3)) as address:
        assert await why(f"https://{address}/") in {outages.NO_TLS, outages.BROKEN_OFF, outages.REFUSED}


async def test_a_server_that_says_nothing() -> None:
    async with server(says_nothing) as address:
        assert await why(f"http://{address}/", seconds=0.1) == outages.NO_ANSWER


async def test_a_connection_that_breaks_off() -> None:
    async with server(answers("")) as address:
        assert await why(f"http://{address}/") == outages.BROKEN_OFF


@pytest.mark.parametrize("status", [500, 502, 503])
def test_a_server_in_trouble_of_its_own(status: int) -> None:
    assert str(status) in why_answered_so(status)


def test_a_reason_names_no_address() -> None:
    error = aiohttp.InvalidURL("https://api.example/bot123:secret/getMe")
    assert "secret" not in why_unreachable(error)
