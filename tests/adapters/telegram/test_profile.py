"""The bot's profile on Telegram: its own texts are updated, and an owner's texts are kept."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from adapters.telegram import TelegramAdapter
from bot.app import REGISTRY
from bot.locale import LOCALES
from bot.screens.help import description, short_description
from tests.adapters.contract import ListeningInbox, eventually
from tests.wire.telegram import Ephemerals, TelegramServer

LANGUAGES = {"", *LOCALES[1:]}
KINDS = ("private_chats", "group_chats", "chat_administrators")


@pytest.fixture
async def server() -> AsyncIterator[TelegramServer]:
    async with TelegramServer() as server:
        yield server


async def started_and_stopped(server: TelegramServer) -> None:
    """Starts the bot, waits until it has set its profile, and stops it."""
    adapter = TelegramAdapter(
        server.token,
        api_url=server.url,
        commands=REGISTRY.announced(),
        description=description(),
        short_description=short_description(),
    )
    running = asyncio.create_task(adapter.run(ListeningInbox()))
    await eventually(lambda: adapter.ready)
    running.cancel()

    with pytest.raises(asyncio.CancelledError):
        await running


async def test_a_new_bot_describes_itself_in_every_language(server: TelegramServer) -> None:
    await started_and_stopped(server)
    assert set(server.commands) == LANGUAGES
    assert set(server.descriptions) == LANGUAGES
    assert set(server.short_descriptions) == LANGUAGES
    assert server.descriptions["de"] == description().translations["de"]
    assert "/privacy" in server.descriptions[""]
    assert "privacy" in server.commands["lt"]


@pytest.mark.parametrize("ephemerals", [Ephemerals.HONOURED, Ephemerals.IGNORED])
async def test_what_is_right_already_is_not_written_again(
    server: TelegramServer, ephemerals: Ephemerals
) -> None:
    server.ephemerals = ephemerals
    methods = ["setMyDescription", "setMyShortDescription"]
    if ephemerals is Ephemerals.HONOURED:
        methods.append("setMyCommands")

    await started_and_stopped(server)
    before = written(server, *methods)
    await started_and_stopped(server)
    assert written(server, *methods) == before


async def test_each_kind_of_chat_has_a_menu_of_what_makes_sense_there(server: TelegramServer) -> None:
    await started_and_stopped(server)
    private, group, admins = (server.menus_for(f"all_{kind}") for kind in KINDS)
    assert set(private) == set(group) == set(admins) == LANGUAGES

    for language in LANGUAGES:
        assert not {"fool", "leaderboard"} & set(private[language])
        assert {"fool", "leaderboard"} <= set(group[language]) & set(admins[language])
        assert "settings" in private[language]
        assert "settings" in admins[language]
        assert "settings" not in group[language]

    assert server.menus_for("all_private_chats")["de"]["puzzle"] != private[""]["puzzle"]


async def test_a_menu_that_the_owner_wrote_for_one_kind_of_chat_stays(server: TelegramServer) -> None:
    own = {"durak": "Let's play"}
    server.menus_for("all_group_chats")["ru"] = dict(own)
    await started_and_stopped(server)
    assert server.menus_for("all_group_chats") == {"ru": own}
    assert set(server.menus_for("all_private_chats")) == LANGUAGES


async def test_a_menu_that_the_owner_wrote_for_everybody_is_not_covered_up(server: TelegramServer) -> None:
    server.commands["de"] = {"durak": "Let's play"}
    await started_and_stopped(server)
    assert [scope for scope, menus in server.menus.items() if menus] == ["default"]


@pytest.mark.parametrize("language", ["", "uk"])
async def test_a_description_that_the_owner_wrote_stays_in_every_language(
    server: TelegramServer, language: str
) -> None:
    server.descriptions[language] = "Our club's own bot"
    await started_and_stopped(server)
    assert server.descriptions == {language: "Our club's own bot"}
    assert set(server.short_descriptions) == LANGUAGES


async def test_a_short_description_that_the_owner_wrote_stays(server: TelegramServer) -> None:
    server.short_descriptions[""] = "Cards on Fridays"
    await started_and_stopped(server)
    assert server.short_descriptions == {"": "Cards on Fridays"}
    assert set(server.descriptions) == LANGUAGES


@pytest.mark.parametrize(
    "menu", [{"durak": "Let's play"}, {**{spec.name: "…" for spec in REGISTRY.specs}, "club": "When we meet"}]
)
async def test_a_menu_that_the_owner_wrote_stays(server: TelegramServer, menu: dict[str, str]) -> None:
    server.commands[""] = dict(menu)
    await started_and_stopped(server)
    assert server.commands == {"": menu}


async def test_the_menu_of_an_earlier_version_is_brought_up_to_date(server: TelegramServer) -> None:
    server.commands[""] = {spec.name: "earlier words" for spec in REGISTRY.specs if spec.name != "privacy"}
    await started_and_stopped(server)
    assert "privacy" in server.commands[""]
    assert "earlier words" not in server.commands[""].values()


async def test_descriptions_fit(server: TelegramServer) -> None:
    await started_and_stopped(server)
    assert max(map(len, server.descriptions.values())) <= 512
    assert max(map(len, server.short_descriptions.values())) <= 120


def written(server: TelegramServer, *methods: str) -> int:
    return len([sent for sent in server.transcript.entries if sent.method in methods])
