"""The cost of the bot's start, before anyone plays, and the memory of an idle bot with many groups."""

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from tests.bench.as_installed import INSTALLED
from tests.bench.processes import Usage, usage
from tests.bench.rows import Measured
from tests.e2e.discord import discord_server
from tests.e2e.process import BotProcess
from tests.e2e.start import ROOT
from tests.e2e.telegram import telegram_group
from tests.wire.discord import DiscordServer
from tests.wire.telegram import Status, TelegramServer

STARTS = 5
GROUPS = 100  # in each of the two chats
FEW_GROUPS = 2
REST = 10.0  # seconds without anything to do, after which the memory is measured
SHORT_REST = 0.5

COMPILE = "from bot.locale.catalogues import compile_catalogues; compile_catalogues()"

NO_CHATS = "no chats"
TELEGRAM = "Telegram"
BOTH = "Telegram and Discord"


def start(is_quick: bool, /) -> Measured:
    """Starts a bot without tokens on an existing database and measures it until it is ready.

    A table shows the same with one chat and with two, and what two chats with many groups take at rest.
    """
    starts = 1 if is_quick else STARTS
    groups = FEW_GROUPS if is_quick else GROUPS
    rest = SHORT_REST if is_quick else REST
    with TemporaryDirectory() as folder:
        installed = install(Path(folder))
        found = asyncio.run(_starts(installed, starts))
        idle = asyncio.run(_at_rest(installed, groups, rest))

    table = [
        ["with tokens of", "CPU", "memory"],
        *(
            [chats, f"{_seconds(found[chats]):.2f} s", f"{_peak(found[chats]):.0f} MiB"]
            for chats in (TELEGRAM, BOTH)
        ),
        [f"{BOTH}, at rest with {2 * groups} groups", "", f"{idle.resident:.0f} MiB"],
    ]
    return Measured([_seconds(found[NO_CHATS]), _peak(found[NO_CHATS])], table=table)


def install(folder: Path) -> Mapping[str, str]:
    """Installs the bot into a folder, with compiled catalogues; returns the variables for its process."""
    for package in ("adapters", "bot", "engine"):
        without = shutil.ignore_patterns("__pycache__", "*.so")
        shutil.copytree(ROOT / package, folder / package, ignore=without)

    variables = os.environ | {"PYTHONPATH": str(folder)}
    subprocess.run([sys.executable, "-c", COMPILE], cwd=folder, env=variables, check=True)
    return {INSTALLED: str(folder)}


def _seconds(used: Sequence[Usage]) -> float:
    return median(each.seconds for each in used)


def _peak(used: Sequence[Usage]) -> float:
    return median(each.peak for each in used)


async def _starts(installed: Mapping[str, str], times: int) -> Mapping[str, Sequence[Usage]]:
    """Starts the bot so many times with each choice of chats."""
    async with telegram_group() as telegram, discord_server() as discord:
        of_chats = {
            NO_CHATS: {},
            TELEGRAM: telegram.settings,
            BOTH: {**telegram.settings, **discord.settings},
        }
        return {name: await _started(installed, chats, times) for name, chats in of_chats.items()}


async def _started(installed: Mapping[str, str], chats: Mapping[str, str], times: int) -> Sequence[Usage]:
    used = []
    with TemporaryDirectory() as folder:
        bot = _process(folder, installed, chats)
        for _ in range(1 + times):  # the first makes the database
            await bot.start()
            used.append(usage(bot.pid))
            await bot.stop()

    return used[1:]


async def _at_rest(installed: Mapping[str, str], groups: int, rest: float) -> Usage:
    """Opens a table in this many Telegram groups, joins as many Discord servers, and then stays idle."""
    async with AsyncExitStack() as stack:
        telegram = await stack.enter_async_context(telegram_group())
        discord = await stack.enter_async_context(discord_server())
        folder = stack.enter_context(TemporaryDirectory())
        _add_guilds(discord.server, groups)

        bot = _process(folder, installed, {**telegram.settings, **discord.settings})
        await bot.start()
        stack.push_async_callback(bot.stop)
        await _open_tables(telegram.server, groups)
        await asyncio.sleep(rest)
        return usage(bot.pid)


def _add_guilds(server: DiscordServer, number: int) -> None:
    owner = server.person("Owner of many").account
    for each in range(number):
        server.state.channel(server.state.guild(f"Guild {each}", owner), "cards")


async def _open_tables(server: TelegramServer, number: int) -> None:
    """Opens tables in new groups, each of another person."""
    for each in range(number):
        person = server.person(f"Player {each}", started=True)
        group = server.supergroup(f"Group {each}", person)
        group.members[person.id] = Status.MEMBER
        person.says("/durak", in_=group)
        while not any(message.rows for message in person.sees(group)):
            await asyncio.sleep(0.02)


def _process(folder: str, installed: Mapping[str, str], chats: Mapping[str, str]) -> BotProcess:
    settings = {"DURAK_LOG_LEVEL": "info", **installed, **chats}
    return BotProcess(Path(folder), settings, is_forked=False, program="tests.bench.as_installed")
