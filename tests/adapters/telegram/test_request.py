"""Requests to the Bot API as they arrive there, and the errors of failed ones."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from telegram import InputFile, InputMediaDocument, InputMediaPhoto
from telegram.error import NetworkError, TelegramError

from adapters.telegram.request import AiohttpRequest, Timeouts
from tests.adapters.contract import eventually
from tests.adapters.raw_http import Request, answer_of, raw_server, says_done
from tests.adapters.telegram.requests import (
    TOKEN,
    UNSENT,
    ask,
    bot_at,
    connected,
    never,
    nothing,
    without_proxies,
)
from tests.wire.telegram.schema import Upload
from tests.wire.telegram.server import read_form


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    without_proxies(monkeypatch)


def form_of(request: Request) -> dict[str, Any]:
    return read_form(request.headers["content-type"], request.body)


# --- requests and answers ----------------------------------------------------------------------------------


async def test_parameters_arrive_as_json() -> None:
    async with raw_server() as server, connected(server.url) as request:
        await bot_at(server.url, request).answer_callback_query("17", "Ваш ход & +1", show_alert=True)

    (got,) = server.requests
    assert got.line == f"POST /bot{TOKEN}/answerCallbackQuery HTTP/1.1"
    assert got.headers["content-type"] == "application/json"
    assert form_of(got) == {"callback_query_id": "17", "text": "Ваш ход & +1", "show_alert": True}


async def test_a_file_arrives_with_its_name_and_the_parameters_beside_it() -> None:
    async with raw_server() as server, connected(server.url) as request:
        document = InputFile(b"\x00\xff\r\n--", 'die "Besten" фев.csv')
        await bot_at(server.url, request).send_document(5, document, caption="Спасибо")

    form = form_of(server.requests[0])
    assert form["document"].content == b"\x00\xff\r\n--"
    assert form["document"].name.endswith("фев.csv")
    assert (form["chat_id"], form["caption"]) == ("5", "Спасибо")


async def test_files_within_media_arrive_under_the_names_that_the_media_tell() -> None:
    async with raw_server() as server, connected(server.url) as request:
        bot = bot_at(server.url, request)
        await bot.edit_message_media(InputMediaPhoto(b"photo", "caption"), 5, 6)
        media = InputMediaDocument(b"document", thumbnail=b"thumbnail")
        await bot.edit_message_media(media, 5, 6)

    photo, document = map(form_of, server.requests)
    assert [part.content for part in photo.values() if isinstance(part, Upload)] == [b"photo"]

    files = {f"attach://{name}": part.content for name, part in document.items() if isinstance(part, Upload)}
    assert sorted(files.values()) == [b"document", b"thumbnail"]
    assert all(address in document["media"] for address in files)


async def test_a_redirect_is_not_followed() -> None:
    async with raw_server() as elsewhere, raw_server() as server, connected(server.url) as request:

        async def redirect(_: Request) -> bytes:
            return answer_of(b"{}", "307 Temporary Redirect", f"Location: {elsewhere.url}/bot{TOKEN}/getMe")

        server.answer = redirect
        with pytest.raises(NetworkError, match="Temporary Redirect"):
            await ask(request, server.url)

        assert not elsewhere.requests


# --- connections ------------------------------------------------------------------------------------------


async def test_a_connection_serves_many_requests() -> None:
    async with raw_server() as server, connected(server.url) as request:
        for _ in range(3):
            assert await ask(request, server.url) is True
        assert len(server.connections) == 1


async def test_a_connection_that_the_server_closed_between_two_requests_is_made_anew() -> None:
    async with raw_server() as server, connected(server.url) as request:
        await ask(request, server.url)
        server.hang_up()
        await eventually(lambda: all(connection.transport.is_closing() for connection in server.connections))
        await asyncio.sleep(0.05)  # until the end has come over the wire
        assert await ask(request, server.url) is True
        assert (len(server.requests), len(server.connections)) == (2, 2)


async def test_a_request_whose_answer_got_lost_is_not_sent_again() -> None:
    async with raw_server() as server, connected(server.url) as request:
        await ask(request, server.url)
        server.answer = nothing
        with pytest.raises(NetworkError) as lost:
            await ask(request, server.url)

        assert UNSENT not in str(lost.value)
        assert len(server.requests) == 2


async def test_no_more_requests_are_under_way_than_connections_are_allowed() -> None:
    release = asyncio.Event()

    async def when_released(request: Request) -> bytes:
        await release.wait()
        return await says_done(request)

    async with raw_server(when_released) as server, connected(server.url, connections=2) as request:
        async with asyncio.TaskGroup() as tasks:
            for _ in range(5):
                tasks.create_task(ask(request, server.url))
            await eventually(lambda: server.under_way == 2)
            release.set()

        assert (len(server.requests), server.most_under_way) == (5, 2)


async def test_a_request_that_is_cancelled_leaves_its_place_to_the_next() -> None:
    async with raw_server(never) as server, connected(server.url, connections=1) as request:
        waiting = asyncio.create_task(ask(request, server.url))
        await eventually(lambda: server.under_way)
        waiting.cancel()
        await eventually(lambda: server.cut_off)
        server.answer = says_done
        assert await ask(request, server.url) is True


async def test_it_can_be_opened_and_closed_again_and_again() -> None:
    async with raw_server() as server:
        request = AiohttpRequest(server.url)
        for _ in range(2):
            await request.initialize()
            await request.initialize()
            assert await ask(request, server.url) is True
            await request.shutdown()
            await request.shutdown()
            with pytest.raises(NetworkError, match=UNSENT):
                await ask(request, server.url)


# --- trouble ----------------------------------------------------------------------------------------------


async def unused_address() -> str:
    async with raw_server() as server:
        return server.url


async def test_where_nobody_listens_nothing_was_sent() -> None:
    url = await unused_address()
    async with connected(url) as request:
        with pytest.raises(NetworkError, match=UNSENT):
            await ask(request, url)


async def answers_nonsense(_: Request) -> bytes:
    return b"220 mail.example.org ESMTP\r\n\r\n"


async def answers_html(_: Request) -> bytes:
    return answer_of(b"<html>down for maintenance</html>")


async def answers_broken_json(_: Request) -> bytes:
    return answer_of(b'{"ok": \xff', "502 Bad Gateway")


@pytest.mark.parametrize("answer", [nothing, answers_nonsense, answers_html, answers_broken_json])
async def test_no_trouble_spells_out_the_token(
    answer: Callable[[Request], Awaitable[bytes | None]], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with raw_server(answer) as server, connected(server.url, Timeouts(read=1.0)) as request:
        with pytest.raises(TelegramError) as trouble:
            await ask(request, server.url)

    assert TOKEN not in caplog.text
    error: BaseException | None = trouble.value
    while error is not None:
        assert TOKEN not in repr(error)
        error = error.__cause__ or error.__context__


async def test_an_answer_that_breaks_off_is_no_answer() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer_of(b'{"ok": true, "result": true}')[:-5])
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1") as listener:
        url = f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}"
        async with connected(url) as request:
            with pytest.raises(NetworkError):
                await ask(request, url)


async def test_what_cannot_be_encoded_is_not_sent_and_not_told() -> None:
    async with raw_server() as server, connected(server.url) as request:
        with pytest.raises(NetworkError) as trouble:
            await bot_at(server.url, request).send_message(5, "a hand \ud800")
        assert "hand" not in str(trouble.value)
        assert not server.requests
