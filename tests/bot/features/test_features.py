"""A feature is one record in a list, and leaves nothing behind when it is removed from the list."""

import sys
from collections.abc import AsyncIterator
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from types import FrameType

import pytest_asyncio
import sqlalchemy as sa

from adapters.port import Reply
from bot import features
from bot.app import schema_with
from bot.features import FEATURES
from bot.features.feature import Feature
from bot.handlers import play
from bot.model.server_choices import OFF
from tests.bot.chat import ROOM, Chat
from tests.bot.databases import WatchedDatabase
from tests.bot.fake_clock import FakeClock
from tests.bot.features.toy import TOY, Applaud, ApplauseRow
from tests.bot.handlers.test_privacy import data_of
from tests.bot.messages import text_of
from tests.bot.running_bot import ANNA, BORIS, SHORT_GAME, RunningBot

FOLDER = Path(features.__file__).parent


class BotWithToy(RunningBot):
    """A bot with one feature more."""

    features = (*FEATURES, TOY)

    def make_database(self) -> WatchedDatabase:
        return WatchedDatabase(self.url, schema_with(self.features))

    async def before_start(self) -> None:
        """Creates the toy's table, for which the database has no migration step."""
        models = schema_with(self.features).models
        await self.database.write(lambda session: models.create_all(session.connection()))
        await super().before_start()


@pytest_asyncio.fixture
async def toy_bot(database_url: str, chat: Chat) -> AsyncIterator[RunningBot]:
    bot = BotWithToy(database_url, chat, FakeClock())
    await bot.start()
    bot.chat.moderators.add(ANNA.ref)
    yield bot
    await bot.settle()
    await bot.stop()


def shown(reply: Reply) -> str:
    screen = reply.public or reply.ephemeral or reply.secret
    assert screen is not None
    return text_of(screen)


async def result(bot: RunningBot) -> str:
    """Plays a short game, and returns the text about its end in the room."""
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.app.tables.resign(table.id, ANNA)
    await bot.settle()
    return bot.chat.room_sees()[-1].text


async def test_a_command_a_setting_and_a_line_are_there_by_one_entry_of_the_list(toy_bot: RunningBot) -> None:
    assert " /applaud" in shown(await toy_bot.chat.types(BORIS, "/help"))
    around = await toy_bot.chat.types(ANNA, "/settings around")
    assert around.ephemeral is not None
    assert "Applause: off" in [button.label for row in around.ephemeral.rows for button in row]

    await toy_bot.chat.types(BORIS, "/applaud")
    await toy_bot.settle()
    await toy_bot.chat.presses(BORIS, toy_bot.chat.room_sees()[-1].ref, "👏")
    assert "👏" not in await result(toy_bot), "nobody has switched it on"

    await toy_bot.chat.types(ANNA, "/settings applause on")
    await toy_bot.chat.types(ANNA, "/stop")
    assert "👏 Applause: 1" in await result(toy_bot)


async def test_its_rows_are_shown_to_their_person_and_forgotten_with_them(toy_bot: RunningBot) -> None:
    await toy_bot.chat.types(BORIS, "/applaud")
    await toy_bot.settle()
    await toy_bot.chat.presses(BORIS, toy_bot.chat.room_sees()[-1].ref, "👏")
    assert len((await data_of(await toy_bot.chat.types(BORIS, "/mydata")))["applause"]) == 1

    await toy_bot.chat.types(BORIS, "/forgetme yes")
    count = sa.select(sa.func.count()).select_from(ApplauseRow)
    assert await toy_bot.database.read(lambda session: session.connection().execute(count).scalar()) == 0


async def test_without_its_entry_nothing_of_it_is_there(bot: RunningBot) -> None:
    assert "/applaud" not in shown(await bot.chat.types(BORIS, "/help"))
    assert "applause" not in bot.app.registry.settings.names
    assert (await bot.chat.types(BORIS, "/applaud")).toast is not None

    await bot.opened(ANNA)
    pressed = await bot.chat.presses_token(BORIS, bot.table_message().ref, str(Applaud()))
    assert pressed.toast is not None
    assert pressed.refusal


async def test_where_nobody_wants_one_a_move_runs_no_line_of_any_feature(bot: RunningBot) -> None:
    for setting in bot.app.registry.settings:
        if OFF in setting.values:
            await bot.app.servers.choose(ROOM.server, **{setting.name: OFF})

    table = await bot.dealt(ANNA, BORIS)
    files = set[str]()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            files.add(frame.f_code.co_filename)

    sys.setprofile(note)
    try:
        await bot.plays(table)
        await bot.settle()
    finally:
        sys.setprofile(None)

    assert play.__file__ in files
    assert not [file for file in files if file.startswith(str(FOLDER))]


def test_a_feature_is_called_like_its_folder_and_gives_something_of_every_kind_to_the_core() -> None:
    for feature in FEATURES:
        folder = import_module(f"bot.features.{feature.name}")
        assert folder.FEATURE is feature

    unused = {
        field.name
        for field in fields(Feature)
        if not any(getattr(feature, field.name) for feature in FEATURES)
    }
    assert unused == set(), "a way to add to the core that no feature takes"
