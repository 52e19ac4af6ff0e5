"""The start of the process: ready chats, reasons for missing ones, and notices to a service manager."""

import asyncio
import socket
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import aiohttp
import pytest

from bot.config import Settings, read_settings
from bot.process.exits import NOT_NOW, SETTINGS, CannotStartError
from bot.process.pulse import Pulse
from bot.start import half_done_doors, readiness, serve
from tests.wire.telegram import TelegramServer

# Variables of one function, or settings of few owners.
LOADED_LATE = {"PIL", "alembic", "asyncpg", "sqlalchemy.dialects.postgresql", "discord", "telegram"}
HEALTH = "Health and metrics: http://127.0.0.1:8080/"


async def test_a_start_loads_nothing_that_only_few_functions_need() -> None:
    words = (sys.executable, "-c", "import sys, bot.start; print(*sys.modules)")
    starting = await asyncio.create_subprocess_exec(*words, stdout=PIPE)
    printed, _ = await starting.communicate()
    loaded = set(printed.decode().split())
    assert "bot.app" in loaded
    assert not loaded & LOADED_LATE


@pytest.mark.parametrize(
    ("ready", "missing", "page", "line"),
    [
        (["web"], {}, "http://127.0.0.1:8080", "Durak is ready: open http://127.0.0.1:8080/ and play."),
        (["discord", "telegram"], {}, "", f"Durak is ready in Discord and Telegram. {HEALTH}"),
        (
            ["discord"],
            {"telegram": "it does not answer in time"},
            "",
            f"Durak is ready in Discord. Not yet in Telegram: it does not answer in time. {HEALTH}",
        ),
        (
            ["telegram", "web"],
            {"discord": "Mend DURAK_DISCORD_TOKEN."},
            "https://durak.example",
            "Durak is ready in Telegram: open https://durak.example/ and play. "
            "Not yet in Discord: Mend DURAK_DISCORD_TOKEN.",
        ),
        (
            [],
            {"telegram": "its name cannot be found"},
            "",
            f"Durak runs, and waits for its chats. Not yet in Telegram: its name cannot be found. {HEALTH}",
        ),
    ],
)
def test_the_owner_is_told_which_chats_are_ready_and_why_others_are_not(
    ready: list[str], missing: Mapping[str, str], page: str, line: str
) -> None:
    assert readiness(ready, missing, page=page, address="http://127.0.0.1:8080") == line


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"telegram_token": "1:a"}, "Telegram opens"),
        (
            {"telegram_token": "1:a", "discord_token": "a.b.c", "discord_client_secret": "x"},
            "Telegram and Discord open",
        ),
        ({"discord_token": "a.b.c", "discord_client_secret": "x"}, "Discord opens"),
        ({"discord_token": "a.b.c"}, ""),
        ({}, ""),
    ],
)
def test_the_owner_is_told_where_an_address_without_encryption_opens_no_table_inside(
    settings: dict[str, str], named: str
) -> None:
    def line_for(address: str) -> str:
        return half_done_doors(Settings.model_validate({**settings, "public_url": address}))

    expected = f"DURAK_PUBLIC_URL is http: {named} only https inside, so tables open in the browser there."
    assert line_for("http://durak.example") == (expected if named else "")
    assert line_for("https://durak.example") == ""


@pytest.fixture
def given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Sets variables, on a database of this test's own."""

    def give(**settings: str) -> None:
        for name, value in settings.items():
            monkeypatch.setenv(f"DURAK_{name}", value)

    monkeypatch.chdir(tmp_path)
    give(HTTP_PORT="0")
    return give


@asynccontextmanager
async def serving() -> AsyncIterator[asyncio.Task[None]]:
    task = asyncio.create_task(serve(read_settings()))
    yield task
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


async def first_line(capsys: pytest.CaptureFixture[str]) -> str:
    """Waits for the first line on standard output; returns the output so far."""
    said = ""
    async with asyncio.timeout(30):
        while "Durak" not in said:
            await asyncio.sleep(0.02)
            said += capsys.readouterr().out

    return said


async def test_a_token_that_is_refused_leaves_the_page_as_it_is(
    given: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    async with TelegramServer() as server:
        given(TELEGRAM_TOKEN="1:revoked", TELEGRAM_API_URL=server.url, WEB="on")
        async with serving() as task:
            said = await first_line(capsys)
            assert "Not yet in Telegram: " in said
            assert "does not accept the token in DURAK_TELEGRAM_TOKEN." in said

            address = said.partition("open ")[2].partition(" ")[0]
            async with aiohttp.ClientSession() as session, session.get(address) as page:
                assert page.status == 200

            async with aiohttp.ClientSession() as session, session.get(f"{address}readyz") as answer:
                assert await answer.text() == "not ready: telegram\n"

            assert not task.done()


async def test_without_any_chat_that_accepts_its_token_the_settings_are_to_blame(
    given: Callable[..., None],
) -> None:
    async with TelegramServer() as server:
        given(TELEGRAM_TOKEN="1:revoked", TELEGRAM_API_URL=server.url)
        with pytest.raises(CannotStartError, match="DURAK_TELEGRAM_TOKEN") as ended:
            await serve(read_settings())
    assert ended.value.code == SETTINGS


async def test_an_address_that_is_in_use_may_be_free_later(given: Callable[..., None]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        given(HTTP_PORT=str(other.getsockname()[1]))
        with pytest.raises(CannotStartError, match="DURAK_HTTP_PORT") as ended:
            await serve(read_settings())

    assert ended.value.code == NOT_NOW


async def test_systemd_hears_that_the_bot_is_up_and_of_every_beat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.process.pulse.BEAT_SECONDS", 0.01)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.setblocking(False)
        pulse = Pulse({"NOTIFY_SOCKET": str(tmp_path / "notify")})
        async with pulse.beating():
            loop = asyncio.get_running_loop()
            assert (await loop.sock_recv(systemd, 100)).startswith(b"EXTEND_TIMEOUT_USEC=")
            pulse.up("Durak is ready.")
            heard = [await loop.sock_recv(systemd, 100) for _ in range(5)]

        heard.append(await loop.sock_recv(systemd, 100))

    assert b"READY=1\nSTATUS=Durak is ready." in heard
    assert b"WATCHDOG=1" in heard
    assert heard[-1] == b"STOPPING=1"


async def test_a_start_under_systemd_is_over_when_the_owner_is_told(
    given: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.setblocking(False)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        async with serving(), asyncio.timeout(30):
            heard = b""
            while not heard.startswith(b"READY=1"):
                heard = await asyncio.get_running_loop().sock_recv(systemd, 200)

    assert b"STATUS=Durak is ready: open http://127.0.0.1:" in heard


async def test_without_systemd_nobody_is_told_of_the_beats() -> None:
    pulse = Pulse({})
    async with pulse.beating():
        pulse.up("Durak is ready.")
