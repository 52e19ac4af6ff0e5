"""The bot offers its side features where they arise, once, and nowhere else."""

from dataclasses import replace

from adapters.port import User
from bot.delivery.calls import PAUSE
from bot.model.profile import Calling
from bot.storage.calls import RING_SECONDS
from tests.bot.chat import own_room
from tests.bot.messages import buttons_of, text_of
from tests.bot.running_bot import ANNA, BORIS, CLARA, RunningBot

MORE = "💡 /fool counts"
COMPANY = "📣 Let these players invite me"
AROUND = "🎭 Around the game"


async def loses(bot: RunningBot, loser: User, other: User) -> None:
    table = await bot.dealt(loser, other)
    await bot.app.tables.resign(table.id, loser)
    await bot.settle()


def results(bot: RunningBot) -> list[str]:
    return [message.text for message in bot.chat.room_sees() if "is the fool" in message.text]


async def test_the_third_result_of_a_chat_alone_names_what_there_is_around_the_game(bot: RunningBot) -> None:
    for _ in range(4):
        await loses(bot, BORIS, CLARA)
    await bot.restart()
    await loses(bot, ANNA, CLARA)
    assert [MORE in result for result in results(bot)] == [False, False, True, False, False]


async def test_games_against_bots_alone_lead_to_no_such_line(bot: RunningBot) -> None:
    await loses(bot, BORIS, CLARA)
    await loses(bot, BORIS, CLARA)
    table = await bot.opened(ANNA, rules="bots")
    await bot.app.tables.resign(table.id, ANNA)
    await bot.settle()
    assert not [result for result in results(bot) if MORE in result]


async def test_buttons_under_the_fools_show_the_seasons_and_how_a_game_is_added(bot: RunningBot) -> None:
    await loses(bot, BORIS, CLARA)
    await bot.chat.types(ANNA, "/fool")
    board = bot.chat.room_sees()[-1]
    assert [button.label for button in board.buttons] == ["🏛 Seasons", "📇 Add a game"]

    await bot.chat.presses(ANNA, board.ref, "🏛 Seasons")
    assert bot.chat.room_sees()[-1].text.startswith("🏛 Hall of fame")

    text = "Mention the fool first, then who else played: /fool add @…"
    assert (await bot.chat.presses(ANNA, board.ref, "📇 Add a game")).toast == text


async def test_where_arguments_have_names_adding_a_game_names_them(bot: RunningBot) -> None:
    bot.chat.limits = replace(bot.chat.limits, named_arguments=True)
    text = "Choose “add”, the fool, and who else played: /fool what:add fool:@…"
    assert (await bot.chat.types(ANNA, "/fool add")).toast == text
    bot.chat.moderators.add(ANNA.ref)
    text = "Choose “import” and a CSV file (date, fool, players): /fool what:import file:…"
    assert (await bot.chat.types(ANNA, "/fool import")).toast == text


async def test_none_of_it_is_offered_in_a_private_chat(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    room = own_room(ANNA)
    shown = (await bot.chat.types(ANNA, "/fool", room)).public
    assert shown is not None
    assert not buttons_of(shown)

    panel = (await bot.chat.types(ANNA, "/settings", room)).ephemeral
    assert panel is not None
    assert AROUND not in [button.label for button in buttons_of(panel)]

    for setting in ("around", "week on", "puzzle on", "quiet 22-8", "cards apart", "cheats apart"):
        refused = (await bot.chat.types(ANNA, f"/settings {setting}", room)).toast
        assert refused is not None
        assert refused.startswith("There’s no ")
        assert "week" not in refused.partition("try:")[2]

    told = (await bot.chat.types(ANNA, "/help", room)).ephemeral
    assert told is not None
    assert "/fool" not in text_of(told)


async def test_who_played_is_called_with_this_company_from_now_on(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await bot.chat.types(ANNA, "/settings quiet off")
    await loses(bot, ANNA, BORIS)
    await bot.skip(RING_SECONDS)

    result = bot.chat.room_sees()[-1]
    assert (await bot.chat.presses(CLARA, result.ref, COMPANY)).toast == (
        "Only those who played this game can do that. You can turn it on under /me."
    )

    before = bot.chat.room_sees()
    agreed = await bot.chat.presses(BORIS, result.ref, COMPANY)
    assert agreed.toast is not None
    assert agreed.toast.startswith("📣 OK: anyone who opens the next table can invite you")
    assert bot.chat.room_sees() == before, "nobody else learns of it"

    await bot.restart()
    await bot.opened(ANNA)
    await bot.chat.presses(ANNA, bot.table_message().ref, "📣 Invite the last players")
    await bot.skip(PAUSE)

    assert [text for text in bot.chat.rang_for(BORIS) if text.startswith("🔔 Anna opened a table")]


async def test_who_wanted_no_calls_from_a_chat_agrees_to_them_again_there(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await bot.chat.types(ANNA, "/settings quiet off")
    await loses(bot, ANNA, BORIS)
    await bot.app.calls.mute(BORIS, await bot.app.tables.table(1))

    await bot.chat.presses(BORIS, bot.chat.room_sees()[-1].ref, COMPANY)
    await bot.opened(ANNA)
    reply = await bot.chat.presses(ANNA, bot.table_message().ref, "📣 Invite the last players")
    assert reply.toast == "📣 I’m calling 1 player."


async def test_who_cannot_be_written_to_is_shown_the_way_before_they_can_be_called(bot: RunningBot) -> None:
    bot.chat.closed.add(BORIS.ref)
    await loses(bot, ANNA, BORIS)
    reply = await bot.chat.presses(BORIS, bot.chat.room_sees()[-1].ref, COMPANY)
    assert reply.toast is None
    assert reply.secret is not None
    assert text_of(reply.secret) == "I can’t write to you yet: open our private chat, then I’ll call you."


async def test_who_wants_nothing_in_private_reads_that_nothing_will_come(bot: RunningBot) -> None:
    await loses(bot, ANNA, BORIS)
    await bot.app.people.choose(BORIS.ref, calling=Calling.NEVER)
    reply = await bot.chat.presses(BORIS, bot.chat.room_sees()[-1].ref, COMPANY)
    assert reply.toast == "📣 OK, but I mustn’t write to you in private: /me changes that."
