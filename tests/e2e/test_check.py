"""`durak-bot check` examines everything that the bot needs, and changes nothing."""

import asyncio
import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest

from tests.e2e.process import BotProcess
from tests.e2e.start import output_of
from tests.wire.discord import TOKEN as DISCORD_TOKEN
from tests.wire.discord import DiscordServer
from tests.wire.telegram import TelegramServer

SETTINGS = 78
NOT_NOW = 75


async def findings(folder: Path, **settings: str) -> tuple[int, Mapping[str, tuple[str, str]]]:
    """Returns the exit code, and by subject the level and the sentence."""
    code, said = await output_of(folder, "check", "--json", **settings)
    found = json.loads(said)
    assert found["code"] == code
    by_subject = {
        finding["subject"]: (finding["level"], finding["sentence"]) for finding in found["findings"]
    }
    return code, by_subject


async def made(folder: Path) -> Path:
    """Returns the database that a bot leaves behind."""
    bot = BotProcess(folder, {})
    await bot.start()
    assert await bot.stop() == 0
    return bot.database


async def test_before_the_first_start_all_is_well(tmp_path: Path) -> None:
    code, said = await output_of(tmp_path, "check")
    assert code == 0
    assert [line.split()[:2] for line in said.splitlines()] == [
        ["ok", "settings"],
        ["ok", "database"],
        ["ok", "disk"],
        ["ok", "address"],
    ]

    assert not await asyncio.to_thread((tmp_path / "durak.db").exists), "it makes nothing"


async def test_a_bot_that_runs_is_found_and_its_database_is_sound(tmp_path: Path) -> None:
    bot = BotProcess(tmp_path, {})
    await bot.start()
    port = bot.address.rpartition(":")[2].rstrip("/")

    code, found = await findings(tmp_path, DURAK_HTTP_PORT=port, DURAK_PUBLIC_URL=f"http://127.0.0.1:{port}")
    assert code == 0
    assert found["address"] == ("ok", f"The bot runs at 127.0.0.1:{port}: ready.")
    assert found["page"] == ("ok", f"http://127.0.0.1:{port} leads to the bot.")
    assert found["database"][1].startswith("The database durak.db is sound, at step ")

    assert await bot.stop() == 0


async def test_a_wrong_setting_is_all_that_is_found(tmp_path: Path) -> None:
    code, found = await findings(tmp_path, TELEGRAM_TOKEN="1:x")
    assert code == SETTINGS
    assert found.keys() == {"settings"}
    assert "DURAK_TELEGRAM_TOKEN" in found["settings"][1]


async def test_tokens_are_asked_for(tmp_path: Path) -> None:
    async with TelegramServer() as telegram, DiscordServer() as discord:
        known = {
            "DURAK_TELEGRAM_TOKEN": telegram.token,
            "DURAK_TELEGRAM_API_URL": telegram.url,
            "DURAK_DISCORD_TOKEN": DISCORD_TOKEN,
            "DURAK_DISCORD_API_URL": discord.api_url,
            "DURAK_DISCORD_GATEWAY_URL": discord.gateway_url,
        }
        code, found = await findings(tmp_path, **known)
        assert (code, found["telegram"][0], found["discord"][0]) == (0, "ok", "ok"), found
        assert "@" in found["telegram"][1]

        revoked = known | {"DURAK_TELEGRAM_TOKEN": "1:revoked", "DURAK_DISCORD_TOKEN": "a.b.c"}
        code, found = await findings(tmp_path, **revoked)
        assert code == SETTINGS
        assert found["telegram"] == (
            "wrong",
            "Telegram does not accept the token in DURAK_TELEGRAM_TOKEN.",
        )
        assert found["discord"] == ("wrong", "Discord does not accept DURAK_DISCORD_TOKEN.")


async def test_a_bot_that_groups_cannot_add_is_a_warning_as_its_owner_may_want_that(tmp_path: Path) -> None:
    async with TelegramServer() as telegram:
        telegram.world.bot["can_join_groups"] = False
        code, found = await findings(
            tmp_path, DURAK_TELEGRAM_TOKEN=telegram.token, DURAK_TELEGRAM_API_URL=telegram.url
        )

    level, sentence = found["telegram"]
    assert (code, level) == (0, "warning")
    assert "@" in sentence
    assert "Allow Groups" in sentence


async def test_a_chat_that_is_out_of_reach_has_a_reason(tmp_path: Path) -> None:
    code, found = await findings(
        tmp_path, DURAK_TELEGRAM_TOKEN="1:x", DURAK_TELEGRAM_API_URL="http://127.0.0.1:1"
    )
    assert code == NOT_NOW
    assert found["telegram"][0] == "not now"
    assert "nothing answers at its address" in found["telegram"][1]


@pytest.mark.parametrize(
    ("harm", "sentence"),
    [
        ("DROP TABLE badge", "no table badge"),
        (
            "ALTER TABLE server ADD COLUMN odd INTEGER",
            "an unknown column server.odd",
        ),
        ("UPDATE alembic_version SET version_num = '9999'", "was made by a newer version"),
    ],
)
async def test_tables_of_another_version_are_found(tmp_path: Path, harm: str, sentence: str) -> None:
    with closing(sqlite3.connect(await made(tmp_path))) as database, database:
        database.execute(harm)
    code, found = await findings(tmp_path)
    assert (code, found["database"][0]) == (SETTINGS, "wrong")
    assert sentence in found["database"][1]


async def test_a_damaged_database_is_found(tmp_path: Path) -> None:
    file = await made(tmp_path)
    with file.open("r+b") as opened:
        opened.seek(4096)
        opened.write(b"?" * 8192)

    code, found = await findings(tmp_path)
    assert (code, found["database"]) == (
        SETTINGS,
        ("wrong", "The database durak.db is damaged: restore a backup with `durak-bot restore FILE`."),
    )


async def test_a_database_that_is_away_may_be_back_later(tmp_path: Path) -> None:
    code, found = await findings(tmp_path, DURAK_DATABASE_URL="postgresql://durak:hush@127.0.0.1:1/durak")
    assert (code, found["database"][0]) == (NOT_NOW, "not now")
    assert "hush" not in str(found)


async def test_no_part_of_an_odd_password_is_printed(tmp_path: Path) -> None:
    code, said = await output_of(
        tmp_path, "check", DURAK_DATABASE_URL="postgresql://durak:p@ss/w@127.0.0.1/durak"
    )
    assert code == SETTINGS
    assert "%40" in said
    assert "ss/w" not in said


async def test_a_folder_without_backups_is_a_warning(tmp_path: Path) -> None:
    code, found = await findings(tmp_path, DURAK_BACKUPS=str(tmp_path / "none"))
    assert (code, found["backups"][0]) == (0, "warning")
