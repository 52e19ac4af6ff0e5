"""Play against bots: at once if nobody else sits at the table, else with the others, and never a dead end."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from adapters.port import Reply, User
from bot.model.table import Phase
from tests.bot.chat import ROOM
from tests.bot.messages import buttons_of, text_of
from tests.bot.running_bot import ANNA, BORIS, CLARA, RunningBot


def personal(reply: Reply) -> str:
    assert reply.ephemeral is not None
    return text_of(reply.ephemeral)


@pytest.mark.parametrize(("typed", "strength"), [("bots", "regular"), ("perevodnoy bots=expert", "expert")])
async def test_one_command_deals_a_game_against_the_house(bot: RunningBot, typed: str, strength: str) -> None:
    reply = await bot.chat.types(ANNA, f"/durak {typed}")
    assert reply == Reply()

    await bot.settle()
    (table_id,) = bot.app.tables.tables_in(ROOM)
    table = await bot.app.tables.table(table_id)
    assert (table.phase, table.options.strength) == (Phase.PLAYING, strength)
    assert [player.user is None for player in table.players] == [False, True]
    assert table.rules.transfer == ("perevodnoy" in typed)
    assert bot.hand_message(ANNA).buttons


async def test_who_waits_alone_at_a_table_plays_at_it_against_the_house(bot: RunningBot) -> None:
    table = await bot.opened(ANNA)
    await bot.chat.types(ANNA, "/durak bots=expert")
    await bot.settle()
    table = await bot.app.tables.table(table.id)
    assert (table.phase, table.options.strength) == (Phase.PLAYING, "expert")
    assert [player.user is None for player in table.players] == [False, True]


async def test_a_bot_that_the_host_asks_for_plays_as_well_as_they_wish(bot: RunningBot) -> None:
    table = await bot.opened(ANNA, BORIS)
    await bot.chat.types(ANNA, "/durak bots=expert")
    table = await bot.app.tables.table(table.id)
    assert (table.phase, table.options.strength) == (Phase.LOBBY, "expert")
    assert [player.user for player in table.players] == [ANNA.ref, BORIS.ref, None]


async def test_a_rematch_against_bots_alone_is_dealt_at_once(bot: RunningBot) -> None:
    await bot.chat.types(ANNA, "/durak bots=expert")
    await bot.settle()
    (table_id,) = bot.app.tables.tables_in(ROOM)
    await bot.app.tables.resign(table_id, ANNA)
    await bot.settle()
    await bot.chat.presses(ANNA, bot.chat.room_sees()[-1].ref, "Rematch")
    await bot.settle()

    again = await bot.app.tables.table(table_id)
    assert (again.phase, again.game, again.options.strength) == (Phase.PLAYING, 2, "expert")
    assert [player.user is None for player in again.players] == [False, True]


async def test_a_rematch_with_another_person_still_gathers(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    await bot.app.tables.resign(table.id, BORIS)
    await bot.settle()
    await bot.chat.presses(ANNA, bot.chat.room_sees()[-1].ref, "Rematch")
    assert (await bot.app.tables.table(table.id)).phase is Phase.LOBBY


@pytest.mark.parametrize("others", [(ANNA,), (ANNA, CLARA)])
async def test_who_wants_to_play_the_house_sits_down_with_a_bot_where_others_gather(
    bot: RunningBot, others: Sequence[User]
) -> None:
    table = await bot.opened(*others)
    reply = await bot.chat.types(CLARA, "/durak bots")
    assert personal(reply) == "You’re at this table now, with a bot: here it is."
    table = await bot.app.tables.table(table.id)
    assert table.phase is Phase.LOBBY
    assert [player.user for player in table.players] == [ANNA.ref, CLARA.ref, None]


@pytest.mark.parametrize("typed", ["/durak", "/durak bots"])
async def test_who_wants_to_play_where_others_do_is_told_of_a_way(bot: RunningBot, typed: str) -> None:
    before = await bot.dealt(ANNA, BORIS)
    reply = await bot.chat.types(CLARA, typed)
    assert personal(reply) == "Others play at this table: here it is. Watch them, or play elsewhere."
    assert reply.ephemeral is not None
    assert [button.label for button in buttons_of(reply.ephemeral)] == ["🔔 Notify me of the next game"]
    assert (await bot.app.tables.table(before.id)).players == before.players

    reply = await bot.chat.types(ANNA, typed)
    assert personal(reply) == "There’s already a table: here it is."


async def test_who_finds_no_seat_for_themselves_and_a_bot_is_told_so(bot: RunningBot) -> None:
    table = await bot.opened(ANNA)
    await bot.app.tables.change(table.id, lambda now: replace(now, rules=replace(now.rules, max_players=2)))
    assert (await bot.chat.types(CLARA, "/durak bots")).toast
    assert (await bot.app.tables.table(table.id)).seat_of(CLARA.ref) is None


async def test_as_many_house_players_sit_down_as_the_rules_need(bot: RunningBot) -> None:
    await bot.chat.types(ANNA, "/durak podkidnoy-36 teams=2x2 bots")
    await bot.settle()
    (table_id,) = bot.app.tables.tables_in(ROOM)
    table = await bot.app.tables.table(table_id)
    assert (table.phase, len(table.players)) == (Phase.PLAYING, 4)


async def test_house_players_that_there_are_not_open_no_table(bot: RunningBot) -> None:
    reply = await bot.chat.types(ANNA, "/durak bots=champion")
    assert reply.toast == "There’s no “champion”; try: beginner, regular, expert"
    await bot.settle()
    assert bot.chat.room_sees() == []


async def test_bots_do_not_take_the_place_of_an_invited_friend(bot: RunningBot) -> None:
    await bot.chat.types(ANNA, "/durak", mentioned=(BORIS,))
    await bot.settle()
    await bot.chat.types(ANNA, "/durak bots")
    await bot.settle()
    assert "1 seat kept: Boris" in bot.table_message().text

    await bot.chat.presses(BORIS, bot.table_message().ref, "Join")
    await bot.settle()
    assert "3 of 6" in bot.table_message().text


async def test_bots_are_refused_where_the_last_seat_is_kept(bot: RunningBot) -> None:
    await bot.chat.types(ANNA, "/durak max_players=2", mentioned=(BORIS,))
    await bot.settle()
    reply = await bot.chat.types(ANNA, "/durak bots")
    assert str(reply.toast).startswith("The last seats are kept")
    assert "1 seat kept: Boris" in bot.table_message().text
