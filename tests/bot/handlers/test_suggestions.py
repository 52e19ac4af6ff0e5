"""Completions of typed arguments: this chat's own settings first, in the typist's language."""

from adapters.port import ArgumentKind, Typing
from bot.app import REGISTRY
from bot.model.table import Phase, Table
from tests.bot.chat import ROOM, person
from tests.bot.running_bot import ANNA, RunningBot

OLGA = person("Olga", "ru-RU")


async def suggested(
    bot: RunningBot, text: str, argument: str = "preset", *others: str
) -> list[tuple[str, str]]:
    typing = Typing(OLGA, ROOM, "durak", argument, text, others)
    return [(each.label, each.text) for each in await bot.app.inbox.suggest(typing)]


async def test_the_default_of_a_server_comes_first_and_its_variations_are_there(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await bot.chat.types(ANNA, "/settings save friday deck=52")
    await bot.chat.types(ANNA, "/settings default perevodnoy")
    found = await suggested(bot, "")
    assert found[0] == ("Переводной", "perevodnoy")
    assert ("friday", "friday") in found


async def test_what_is_suggested_opens_a_table_when_it_is_typed(bot: RunningBot) -> None:
    ((_, preset), *_) = await suggested(bot, "переводной")
    ((_, option), *_) = await suggested(bot, "кто подкидывает: соседи", "options")
    await bot.chat.types(OLGA, f"/durak {preset} {option}")
    table = await bot.app.tables.in_room(ROOM)
    assert isinstance(table, Table)
    assert (table.preset, table.rules.throw_in) == ("perevodnoy", "neighbours")


async def test_a_game_against_bots_is_suggested_and_starts_when_it_is_typed(bot: RunningBot) -> None:
    assert (await suggested(bot, ""))[1] == ("🤖 Сыграть с ботами", "bots")
    ((_, bots),) = await suggested(bot, "бот")
    await bot.chat.types(OLGA, f"/durak {bots}")
    table = await bot.app.tables.in_room(ROOM)
    assert table is not None
    assert table.phase is Phase.PLAYING


async def test_settings_are_suggested_that_change_the_rules_typed_before(bot: RunningBot) -> None:
    for others, wanted in (((), "transfer=on"), (("perevodnoy",), "transfer=off"), (("?",), "transfer=on")):
        found = [text for _, text in await suggested(bot, "transfer=", "options", *others)]
        assert found == [wanted], others


async def test_every_argument_with_suggestions_has_some(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, OLGA)
    while (await bot.waiting_for(table)).ref != OLGA.ref:
        await bot.plays(table)

    arguments = [argument for spec in REGISTRY.specs for argument in spec.arguments]
    for name in {argument.name for argument in arguments if argument.kind is ArgumentKind.SUGGESTED}:
        assert await suggested(bot, "", name)

    assert not await suggested(bot, "", "no-such-argument")


async def test_without_a_disk_there_are_no_suggestions_and_no_error(bot: RunningBot) -> None:
    async with bot.without_disk("variation"):
        assert await suggested(bot, "") == []
