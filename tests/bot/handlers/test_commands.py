"""What typed commands answer; what means nothing gets a sentence with what would be valid."""

import pytest

from adapters.port import ArgumentSpec, CommandSpec, PrivateChatButton, Reply, RoomRef, ServerRef
from bot.handlers.commands import COMMANDS, announced
from bot.model.message_slots import MessageKind
from bot.model.table import Phase
from tests.bot.chat import CELLAR, person, text_of
from tests.bot.house import ANNA, BORIS, CLARA, SHORT_GAME, House


def public(reply: Reply) -> str:
    assert reply.public is not None
    return text_of(reply.public)


async def test_a_bad_preset_opens_no_table(house: House) -> None:
    reply = await house.chat.types(ANNA, "/durak podkidnoy")
    assert reply.toast is not None
    assert "podkidnoy-36" in reply.toast
    await house.settle()
    assert house.chat.room_sees() == []


async def test_an_unknown_command_is_answered_with_the_nearest_ones(house: House) -> None:
    reply = await house.chat.types(ANNA, "/leaders")
    assert "/leaderboard" in str(reply.toast)
    assert str(reply.toast).count(" /") == 4  # the three, and what was typed


async def test_hand_shows_ones_cards_of_the_table_in_this_room_first(house: House) -> None:
    await house.dealt(ANNA, BORIS)
    await house.dealt(ANNA, CLARA, room=CELLAR)
    reply = await house.chat.types(ANNA, "/hand", CELLAR)
    assert reply.private is not None
    assert text_of(reply.private) == house.chat.sees_alone(ANNA)[1].text
    reply = await house.chat.types(CLARA, "/hand")  # from another room
    assert reply.private is not None
    assert text_of(reply.private) == house.hand_message(CLARA).text


async def test_hand_without_cards_is_a_sentence(house: House) -> None:
    assert (await house.chat.types(ANNA, "/hand")).toast == (
        "You hold no cards at the moment. /durak opens a table."
    )


async def test_a_hand_that_cannot_be_delivered_is_never_public(house: House) -> None:
    house.chat.closed.add(ANNA.ref)
    await house.dealt(ANNA, BORIS)
    reply = await house.chat.types(ANNA, "/hand")
    assert reply.private is not None
    assert reply.invitation is not None
    (invitation,) = house.chat.room_sees()[1:]
    assert invitation.text == "Anna, your cards wait in the private chat."
    assert isinstance(invitation.screen.rows[0][0], PrivateChatButton)


async def test_tallies_come_from_the_games_on_record(house: House) -> None:
    table = await house.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await house.plays_to_the_end(table)
    outcome = (await house.session(table)).outcome
    assert outcome is not None
    fools = {table.players[seat].name for seat in outcome.losers}
    board = public(await house.chat.types(CLARA, "/leaderboard"))
    for name in ("Anna", "Boris"):
        assert f"{name} · fool {int(name in fools)} in 1 game" in board
    assert "this week" in public(await house.chat.types(CLARA, "/leaderboard WEEK"))
    assert "Anna" in public(await house.chat.types(CLARA, "/fool"))
    assert public(await house.chat.types(ANNA, "/stats")).startswith("Anna\n\n1 game")
    assert "1 game" in public(await house.chat.types(CLARA, "/stats @anna"))
    assert "1 game" in public(await house.chat.types(CLARA, "/stats", mentioned=(BORIS,)))
    assert "No finished games" in public(await house.chat.types(CLARA, "/stats"))
    elsewhere = RoomRef(ServerRef(CELLAR.server.platform, "elsewhere"), "x")
    assert "No finished games" in public(await house.chat.types(CLARA, "/leaderboard", elsewhere))


async def test_a_period_that_is_none_is_answered_with_the_periods(house: House) -> None:
    reply = await house.chat.types(ANNA, "/leaderboard yesterday")
    assert reply.toast == "There is no “yesterday”; try: week, month, year, all"


async def test_stats_of_a_stranger_are_a_sentence_with_a_safe_name(house: House) -> None:
    reply = await house.chat.types(ANNA, "/stats @Ni\u202eck")
    assert reply.toast == "Nobody called “Nick” has finished a game here."


async def test_rules_are_those_of_the_table_here_or_those_asked_for(house: House) -> None:
    assert public(await house.chat.types(ANNA, "/rules")).startswith("Rules · podkidnoy-36")
    await house.opened(ANNA, rules="classic")
    assert public(await house.chat.types(ANNA, "/rules")).startswith("Rules · classic")
    assert public(await house.chat.types(ANNA, "/rules perevodnoy")).startswith("Rules · perevodnoy")
    assert "podkidnoy-36" in str((await house.chat.types(ANNA, "/rules podkidnoy")).toast)


async def test_stop_puts_a_lobby_away_for_the_opener_and_a_game_for_moderators(house: House) -> None:
    assert (await house.chat.types(ANNA, "/stop")).toast == "No table stands here. /durak opens one."
    await house.opened(ANNA, BORIS)
    denied = await house.chat.types(BORIS, "/stop")
    assert denied.toast == "Only who opened the table, or an admin of this chat, may close it."
    assert (await house.chat.types(ANNA, "/stop")).toast == "The table is put away."
    table = await house.dealt(ANNA, BORIS)
    assert "everybody agrees" in str((await house.chat.types(CLARA, "/stop")).toast)
    house.chat.moderators.add(CLARA.ref)
    assert (await house.chat.types(CLARA, "/stop")).toast == "The table is put away."
    await house.settle()
    assert (await house.bot.tables.table(table.id)).phase is Phase.CLOSED
    assert "closed" in house.table_message().text
    assert house.hand_message(BORIS).buttons == ()


async def test_help_names_every_command(house: House) -> None:
    told = public(await house.chat.types(ANNA, "/help"))
    assert all(f"/{spec.name} · {spec.summary}" in told for spec in COMMANDS)


async def test_a_tables_language_and_a_strangers_language_do_not_have_to_exist(house: House) -> None:
    reply = await house.chat.types(person("Klaus", "tlh-XX"), "/leaderboard nuqneH")
    assert reply.toast is not None


def test_the_menus_of_chats_show_the_commands_in_every_language() -> None:
    shown: list[CommandSpec | ArgumentSpec] = [*announced()]
    shown += [argument for spec in announced() for argument in spec.arguments]
    for each in shown:
        assert set(each.summaries) >= {"ru", "uk", "de", "lt"}, each.name
        assert each.summary not in each.summaries.values(), each.name


async def test_a_chat_hears_the_language_of_its_people(house: House) -> None:
    told = public(await house.chat.types(person("Klaus", "de-AT"), "/help"))
    assert "/durak · " in told
    assert told != public(await house.chat.types(ANNA, "/help"))


@pytest.mark.parametrize("is_dealt", [False, True], ids=["lobby", "game"])
async def test_durak_posts_a_table_again_whose_message_somebody_deleted(
    house: House, *, is_dealt: bool
) -> None:
    table = await (house.dealt if is_dealt else house.opened)(ANNA, BORIS)
    before = house.table_message()
    house.chat.forget(before.ref)
    await house.chat.types(CLARA, "/durak")
    await house.settle()
    (message,) = house.chat.room_sees()
    assert message.text == before.text
    assert await house.shown(table, MessageKind.TABLE) == message.ref
    if not is_dealt:
        assert (await house.chat.presses(CLARA, message.ref, "Join")).toast is None


async def test_durak_leads_to_the_table_that_stands(house: House) -> None:
    await house.opened(ANNA)
    table_message = house.table_message()
    reply = await house.chat.types(CLARA, "/durak")
    assert reply.public is not None
    assert [span.link for span in reply.public.body if span.link] == [table_message.ref]
    await house.settle()
    assert house.table_message() == table_message


async def test_durak_says_what_the_bot_is_not_allowed_and_opens_no_table(house: House) -> None:
    house.chat.banned.add(CELLAR)
    reply = await house.chat.types(ANNA, "/durak", CELLAR)
    assert reply == Reply(
        toast="I cannot keep a table here, because I am not allowed to: Speak. An admin can change that."
    )
    assert await house.bot.tables.in_room(CELLAR) is None
