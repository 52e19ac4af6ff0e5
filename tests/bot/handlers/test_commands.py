"""Typed commands and their answers; nonsense gets a sentence with valid examples."""

import pytest
from sqlalchemy import update

from adapters.port import ArgumentSpec, CommandSpec, PrivateChatButton, Reply, RoomRef, ServerRef
from bot.app import REGISTRY
from bot.locale.messages import every_message
from bot.model.messages import MessageKind
from bot.model.table import Phase
from bot.storage.models import VariationRow
from bot.storage.tables import REPAIR_SECONDS
from tests.bot.chat import CELLAR, ROOM, own_room, person
from tests.bot.messages import text_of
from tests.bot.running_bot import ANNA, BORIS, CLARA, SHORT_GAME, RunningBot


def public(reply: Reply) -> str:
    assert reply.public is not None
    return text_of(reply.public)


def personal(reply: Reply) -> str:
    assert reply.ephemeral is not None
    return text_of(reply.ephemeral)


async def test_a_bad_preset_opens_no_table(bot: RunningBot) -> None:
    reply = await bot.chat.types(ANNA, "/durak podkidno")
    assert reply.toast is not None
    assert "podkidnoy" in reply.toast.partition("Did you mean: ")[2]
    await bot.settle()
    assert bot.chat.room_sees() == []


async def test_an_unknown_command_is_answered_with_the_nearest_ones(bot: RunningBot) -> None:
    reply = await bot.chat.types(ANNA, "/leaders")
    assert "/leaderboard" in str(reply.toast)
    assert str(reply.toast).count(" /") == 4  # the three, and the typed text


async def test_hand_shows_ones_cards_of_the_table_in_this_room_first(bot: RunningBot) -> None:
    await bot.dealt(ANNA, BORIS)
    await bot.dealt(ANNA, CLARA, room=CELLAR)
    reply = await bot.chat.types(ANNA, "/hand", CELLAR)
    assert reply.secret is not None
    assert text_of(reply.secret) == bot.chat.sees_alone(ANNA)[1].text

    reply = await bot.chat.types(CLARA, "/hand")  # from another room
    assert reply.secret is not None
    assert text_of(reply.secret) == bot.hand_message(CLARA).text


async def test_hand_without_cards_is_a_sentence(bot: RunningBot) -> None:
    assert (await bot.chat.types(ANNA, "/hand")).toast == (
        "You have no cards right now. /durak opens a table."
    )


async def test_a_hand_that_cannot_be_delivered_is_never_public(bot: RunningBot) -> None:
    bot.chat.closed.add(ANNA.ref)
    await bot.dealt(ANNA, BORIS)
    reply = await bot.chat.types(ANNA, "/hand")
    assert reply.secret is not None
    assert reply.invitation is not None
    assert not any("Your 6 cards" in message.text for message in bot.chat.room_sees())

    invitation = bot.chat.room_sees()[-1]
    assert invitation.text == "Anna, your cards are in our private chat."
    assert isinstance(invitation.screen.rows[0][0], PrivateChatButton)


async def test_tallies_come_from_the_games_on_record(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.plays_to_the_end(table)
    outcome = (await bot.session(table)).outcome
    assert outcome is not None
    fools = {table.players[seat].name for seat in outcome.losers}
    board = public(await bot.chat.types(CLARA, "/leaderboard"))

    for name in ("Anna", "Boris"):
        assert f"{name} · {int(name in fools)} of 1" in board.replace("fool in ", "")

    assert "this week" in public(await bot.chat.types(CLARA, "/leaderboard WEEK"))
    assert "Anna" in public(await bot.chat.types(CLARA, "/fool"))
    assert personal(await bot.chat.types(ANNA, "/stats")).startswith("Anna · 1 game")
    assert "1 game" in personal(await bot.chat.types(CLARA, "/stats @anna"))
    assert "1 game" in personal(await bot.chat.types(CLARA, "/stats", mentioned=(BORIS,)))
    assert "Clara hasn’t finished a game" in personal(await bot.chat.types(CLARA, "/stats"))

    elsewhere = RoomRef(ServerRef(CELLAR.server.platform, "elsewhere"), "x")
    assert "No game counts yet" in public(await bot.chat.types(CLARA, "/leaderboard", elsewhere))


async def test_a_period_that_is_none_is_answered_with_the_periods(bot: RunningBot) -> None:
    reply = await bot.chat.types(ANNA, "/leaderboard yesterday")
    assert reply.toast == "There’s no “yesterday”; try: week, month, year, all"


async def test_stats_of_a_stranger_are_a_sentence_with_a_safe_name(bot: RunningBot) -> None:
    reply = await bot.chat.types(ANNA, "/stats @Ni\u202eck")
    assert reply.toast == "Nobody called “Nick” has finished a game here."


async def test_rules_are_those_of_the_table_here_or_those_asked_for(bot: RunningBot) -> None:
    assert personal(await bot.chat.types(ANNA, "/rules")).startswith("Throw-in, 36 cards · how to play")
    await bot.opened(ANNA, rules="classic")
    assert personal(await bot.chat.types(ANNA, "/rules")).startswith("Classic, first come · ")
    assert personal(await bot.chat.types(ANNA, "/rules perevodnoy")).startswith("Transfer · ")
    assert "Did you mean: podkidnoy," in str((await bot.chat.types(ANNA, "/rules podkidno")).toast)


@pytest.mark.parametrize("words", ["/rules", "/rules all"])
async def test_rules_depend_on_the_number_of_players_only_while_these_play_and_the_title_has_it(
    bot: RunningBot, words: str
) -> None:
    def text_in(reply: Reply) -> str:
        screen = reply.ephemeral or reply.public
        assert screen is not None
        return text_of(screen)

    table = await bot.dealt(ANNA, BORIS)
    during = text_in(await bot.chat.types(CLARA, words))
    assert during.startswith("Throw-in, 36 cards · 2 players · how to play")
    assert "the attacker may throw in" in during

    await bot.app.tables.resign(table.id, ANNA)
    after = text_in(await bot.chat.types(CLARA, words))
    assert after.startswith("Throw-in, 36 cards · how to play")
    assert "36 cards, 2–6 players" in after
    assert "everybody but the defender may throw in" in after


async def test_rules_are_those_of_the_last_game_until_its_room_shows_another(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules="classic")
    await bot.app.tables.resign(table.id, ANNA)
    assert personal(await bot.chat.types(BORIS, "/rules")).startswith("Classic, first come\n")
    assert (await bot.app.pages.rules(ROOM, "en")).title == "Classic, first come"
    assert personal(await bot.chat.types(BORIS, "/rules", CELLAR)).startswith("Throw-in, 36 cards\n")

    await bot.opened(ANNA, rules="perevodnoy")
    assert personal(await bot.chat.types(BORIS, "/rules")).startswith("Transfer\n")

    await bot.stopped(ANNA)
    await bot.skip(REPAIR_SECONDS + 1)
    assert personal(await bot.chat.types(BORIS, "/rules")).startswith("Throw-in, 36 cards\n")


async def test_stop_puts_a_lobby_away_for_the_opener_and_a_game_for_moderators(bot: RunningBot) -> None:
    assert (await bot.chat.types(ANNA, "/stop")).toast == "No table here yet. /durak opens one."
    await bot.opened(ANNA)
    denied = await bot.chat.types(BORIS, "/stop")
    assert denied.toast == "Only the host or a chat admin can close it."
    assert (await bot.chat.types(ANNA, "/stop")).toast == "The table is closed."

    table = await bot.dealt(ANNA, BORIS)
    assert "all its players agree" in str((await bot.chat.types(CLARA, "/stop")).toast)

    bot.chat.moderators.add(CLARA.ref)
    assert await bot.chat.types(CLARA, "/stop") == Reply()

    await bot.settle()
    assert (await bot.app.tables.table(table.id)).phase is Phase.CLOSED
    assert "closed" in bot.table_message().text
    assert bot.hand_message(BORIS).buttons == ()


async def test_help_names_every_command_but_itself_and_playing_at_once(bot: RunningBot) -> None:
    text = personal(await bot.chat.types(ANNA, "/help"))
    assert all(f"/{spec.name}" in text for spec in REGISTRY.announced() if spec.name != "help")
    assert "/durak bots · play against bots now" in text


async def test_a_game_against_bots_is_one_tap_from_help(bot: RunningBot) -> None:
    await bot.chat.opens_private(ANNA, None)
    (helped,) = bot.chat.sees_alone(ANNA)
    assert [row[0].label for row in helped.screen.rows] == [
        "🤖 Play against bots",
        "🎓 Learn by playing",
        "➕ Add me to your chat",
    ]

    await bot.chat.presses(ANNA, helped.ref, "🤖 Play against bots")
    await bot.settle()
    table = await bot.app.tables.in_room(own_room(ANNA))
    assert table is not None
    assert table.phase is Phase.PLAYING


@pytest.mark.usefixtures("opens_alone")
async def test_who_has_played_reads_what_is_special_and_shows_it_to_all(
    bot: RunningBot, opens_alone: bool
) -> None:
    assert "· how to play" in personal(await bot.chat.types(ANNA, "/rules durnius"))
    table = await bot.dealt(ANNA, BORIS)
    await bot.app.tables.resign(table.id, ANNA)
    await bot.settle()
    short = (await bot.chat.types(ANNA, "/rules durnius")).ephemeral
    assert short is not None
    assert "how to play" not in text_of(short)

    labels = [button.label for row in short.rows for button in row]
    assert labels == ["How to play", *(["Show to all"] if opens_alone else [])]

    message = list(bot.chat.messages.values())[-1].ref
    if opens_alone:
        shown = await bot.chat.presses(ANNA, message, "Show to all")
        assert public(shown).startswith("Lithuanian")

    full = await bot.chat.presses(ANNA, message, "How to play")
    assert full.replacement is not None
    assert bot.chat.messages[message].text.startswith("Lithuanian · how to play")


async def test_a_tables_language_and_a_strangers_language_do_not_have_to_exist(bot: RunningBot) -> None:
    reply = await bot.chat.types(person("Klaus", "tlh-XX"), "/leaderboard nuqneH")
    assert reply.toast is not None


def test_the_menus_of_chats_show_the_commands_in_every_language() -> None:
    sentences = {message.id for message in every_message()}
    shown: list[CommandSpec | ArgumentSpec] = [*REGISTRY.announced()]
    shown += [argument for spec in REGISTRY.announced() for argument in spec.arguments]
    for each in shown:
        assert set(each.summaries) >= {"ru", "uk", "de", "lt"}, each.name
        assert each.summary.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'") in sentences, each.name


async def test_a_chat_hears_the_language_of_its_people(bot: RunningBot) -> None:
    text = personal(await bot.chat.types(person("Klaus", "de-AT"), "/rules"))
    assert text != personal(await bot.chat.types(ANNA, "/rules"))


async def test_who_asks_what_concerns_them_alone_hears_their_own_language(bot: RunningBot) -> None:
    text = personal(await bot.chat.types(person("Klaus", "de-AT"), "/help"))
    assert "/durak · " in text
    await bot.chat.types(person("Klaus", "de-AT"), "/language de")
    assert text != personal(await bot.chat.types(ANNA, "/help"))


@pytest.mark.parametrize("is_dealt", [False, True], ids=["lobby", "game"])
async def test_durak_posts_a_table_again_whose_message_somebody_deleted(
    bot: RunningBot, *, is_dealt: bool
) -> None:
    table = await (bot.dealt if is_dealt else bot.opened)(ANNA, BORIS)
    before = bot.table_message()

    bot.chat.forget(before.ref)
    await bot.chat.types(CLARA, "/durak")
    await bot.settle()

    (message,) = bot.chat.room_sees()
    assert message.text == before.text
    assert await bot.shown(table, MessageKind.TABLE) == message.ref

    if not is_dealt:
        await bot.chat.presses(CLARA, message.ref, "Join")
        assert (await bot.app.tables.table(table.id)).seat_of(CLARA.ref) is not None


async def test_durak_leads_to_the_table_that_stands(bot: RunningBot) -> None:
    await bot.opened(ANNA)
    table_message = bot.table_message()
    reply = await bot.chat.types(CLARA, "/durak")
    assert reply.ephemeral is not None
    assert [span.link for span in reply.ephemeral.body if span.link] == [table_message.ref]
    await bot.settle()
    assert bot.table_message() == table_message


async def test_durak_opens_a_table_though_the_default_cannot_be_read_and_says_so_once(
    bot: RunningBot,
) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await bot.chat.types(ANNA, "/settings save friday deck=52")
    await bot.chat.types(ANNA, "/settings default friday")
    unreadable = update(VariationRow).values(rules="podkidnoy-36 jokers=on")
    await bot.database.write(lambda session: session.exec(unreadable).close())

    await bot.restart()
    text = "“friday” can’t be played any more; this is Throw-in, 36 cards. An admin can fix it: /settings"
    assert (await bot.chat.types(BORIS, "/durak")).toast == text

    await bot.settle()
    assert bot.table_message().text.startswith("Durak · Throw-in, 36 cards")

    await bot.chat.types(BORIS, "/stop")
    assert (await bot.chat.types(BORIS, "/durak")).toast is None
    assert "⚠️ friday" in personal(await bot.chat.types(BORIS, "/settings"))


async def test_a_clock_can_be_typed_with_the_rules(bot: RunningBot) -> None:
    table = await bot.opened(ANNA, rules="clock=5 perevodnoy hints=off")
    assert (table.options.clock, table.options.hints, table.preset) == (300, False, "perevodnoy")


async def test_durak_says_what_the_bot_is_not_allowed_and_opens_no_table(bot: RunningBot) -> None:
    bot.chat.banned.add(CELLAR)
    reply = await bot.chat.types(ANNA, "/durak", CELLAR)
    told = "I can’t run a table here: I need the right “Speak”. An admin can change that."
    assert reply == Reply(toast=told)
    assert await bot.app.tables.in_room(CELLAR) is None
