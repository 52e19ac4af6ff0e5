"""The start of the bot, and its reasons not to start."""

import asyncio
import os
import re
import signal
import sys
from asyncio.subprocess import PIPE, STDOUT
from contextlib import suppress
from pathlib import Path

import pytest
from aiohttp import ClientSession

from tests.adapters.web.client import Visitor
from tests.e2e.process import BotProcess
from tests.e2e.start import environment, output_of

SETTINGS = 78  # the exit code after which a service manager leaves the bot alone
NOT_NOW = 75  # the exit code after which it starts the bot again


async def refusal(folder: Path, code: int, **settings: str) -> str:
    """Starts the bot in vain, and returns its output."""
    ended, said = await output_of(folder, **settings)
    assert ended == code, said
    return said


@pytest.mark.parametrize(
    ("settings", "names", "code"),
    [
        ({"DURAK_HTTP_PORT": "often"}, "DURAK_HTTP_PORT", SETTINGS),
        ({"DURAK_TELEGRAM_TOKN": "1:x"}, "DURAK_TELEGRAM_TOKN", SETTINGS),
        (
            {"DURAK_DATABASE_URL": "sqlite+aiosqlite:////no/such/folder/durak.db"},
            "DURAK_DATABASE_URL",
            SETTINGS,
        ),
        (
            {"DURAK_DATABASE_URL": "postgresql://durak@127.0.0.1:99999/durak"},
            "DURAK_DATABASE_URL",
            SETTINGS,
        ),
        ({"DURAK_DATABASE_URL": "postgresql://durak@127.0.0.1:1/durak"}, "DURAK_DATABASE_URL", NOT_NOW),
        ({"DURAK_HTTP_HOST": "no.such.host.invalid"}, "DURAK_HTTP_HOST", SETTINGS),
    ],
)
async def test_a_wrong_setting_ends_the_start_with_one_sentence(
    tmp_path: Path, settings: dict[str, str], names: str, code: int
) -> None:
    said = await refusal(tmp_path, code, **settings)
    assert names in said
    assert len(said.splitlines()) == 1
    assert said.endswith(".")


async def test_a_second_bot_on_the_same_database_ends_with_one_sentence(tmp_path: Path) -> None:
    bot = BotProcess(tmp_path, {})
    await bot.start()
    said = await refusal(tmp_path, NOT_NOW)
    assert said.startswith("The database durak.db is in use by another process of this bot")
    assert len(said.splitlines()) == 1
    bot.kill()  # the lock goes with the process
    await bot.restart_after_a_crash()
    assert await bot.stop() == 0


async def test_without_tokens_the_page_is_served_and_its_address_printed(tmp_path: Path) -> None:
    bot = BotProcess(tmp_path, {}, is_forked=False)
    await bot.start()
    assert f"open {bot.address} and play" in bot.output
    assert await bot.stop() == 0


async def test_who_opens_the_owner_s_link_may_change_what_all_rooms_play_and_no_other_guest(
    tmp_path: Path,
) -> None:
    bot = BotProcess(tmp_path, {})
    await bot.start()
    link = tmp_path / "durak.db.moderator"
    (key,) = re.findall(rf"^{re.escape(bot.address)}r/main#owner=(\S+)$", link.read_text())
    assert link.stat().st_mode & 0o077 == 0

    change = {"text": "/settings default classic"}
    async with ClientSession() as session:
        eve = Visitor(session, f"{bot.address}r/alone")
        await eve.come_in("Eve")
        assert (await eve.send("lines", change))[1]["toast"] == "Only chat admins can change that."
        assert (await eve.shows_key(key))[0] == 200
        assert "toast" not in (await eve.send("lines", change))[1]

    assert await bot.stop() == 0
    assert "durak.db.moderator, which only you can read." in bot.output
    assert key not in bot.output, "a service's log"


async def test_on_a_terminal_the_owner_s_link_is_shown(tmp_path: Path) -> None:
    ours, its = os.openpty()
    bot = BotProcess(tmp_path, {})
    await bot.start()
    assert await bot.stop() == 0

    (tmp_path / "durak.db.moderator").unlink()
    await bot.start(out=its)
    os.close(its)
    shown = b""
    while b"#owner=" not in shown:
        shown += os.read(ours, 4096)

    assert await bot.stop() == 0
    os.close(ours)
    assert not (tmp_path / "durak.db.moderator").exists()


async def test_a_second_process_that_is_started_again_and_again_takes_over_when_the_first_one_dies(
    tmp_path: Path,
) -> None:
    (tmp_path / "standby").mkdir()
    bot = BotProcess(tmp_path, {})
    standby = BotProcess(tmp_path / "standby", {"DURAK_DATABASE_URL": f"sqlite+aiosqlite:///{bot.database}"})
    await bot.start()

    attempts = 0
    async with asyncio.timeout(60):
        while attempts == 0 or standby.exit_code is not None:
            attempts += 1
            with suppress(AssertionError):  # it ended before it was ready
                await standby.start()

            assert standby.exit_code in {None, NOT_NOW}, standby.output
            bot.kill()

    assert attempts > 1
    assert await standby.stop() == 0


LIBRARIES = "import sys, bot.start; print(*sys.modules)"
# Starts the bot with all libraries, but without the modules that only POSIX has.
ELSEWHERE = """
import asyncio, os, runpy, signal, sys
from importlib import import_module

for name in sys.argv.pop(1).split():
    if name.partition(".")[0] not in {"bot", "adapters", "engine", "__main__"}:
        import_module(name)
for module, missing in {
    os: "nice fork getuid geteuid fchmod chown sched_getaffinity statvfs mkfifo openpty",
    signal: "SIGHUP SIGUSR1 SIGUSR2 SIGQUIT SIGKILL SIGALRM SIGCHLD pthread_sigmask",
}.items():
    for name in missing.split():
        if hasattr(module, name):
            delattr(module, name)
for name in ("fcntl", "grp", "pwd", "resource", "termios", "tty", "pty", "syslog"):
    sys.modules[name] = None
asyncio.SelectorEventLoop.add_signal_handler = asyncio.AbstractEventLoop.add_signal_handler  # which raises
sys.platform = "win32"
runpy.run_module("bot", run_name="__main__", alter_sys=True)
"""


async def test_the_bot_needs_nothing_that_only_posix_has(tmp_path: Path) -> None:
    settings = environment({"DURAK_HTTP_PORT": "0"})
    listed = await asyncio.create_subprocess_exec(
        sys.executable, "-c", LIBRARIES, env=settings, cwd=tmp_path, stdout=PIPE
    )
    libraries = (await listed.communicate())[0].decode()
    bot = await asyncio.create_subprocess_exec(
        sys.executable, "-c", ELSEWHERE, libraries, env=settings, cwd=tmp_path, stdout=PIPE, stderr=STDOUT
    )
    assert bot.stdout is not None

    said = b""
    async with asyncio.timeout(60):
        while b"http://" not in said and (line := await bot.stdout.readline()):
            said += line

    assert b"http://" in said, said.decode()
    bot.send_signal(signal.SIGINT)
    said += (await bot.communicate())[0]
    assert (bot.returncode, b"Traceback" in said) == (0, False), said.decode()
