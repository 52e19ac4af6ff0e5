"""A person who sits down or starts a game learns where their cards will appear."""

import asyncio
from dataclasses import replace

import pytest

from adapters.port import PrivateChat, PrivateChatButton, Reply
from bot.model.table import Table
from tests.bot.chat import ROOM
from tests.bot.handlers.test_privacy import data_of
from tests.bot.messages import Message, buttons_of, text_of
from tests.bot.running_bot import ANNA, BORIS, CLARA, RunningBot

PRIVATE = "They come privately, too, if I may write to you"
AT_THE_TABLE = "press “My hand”"


def told_by(reply: Reply) -> str:
    assert reply.toast is not None
    return reply.toast


@pytest.mark.parametrize("button", ["Join", "Start"])
@pytest.mark.parametrize("was_reached", [False, True])
@pytest.mark.parametrize("shows_alone", [False, True])
async def test_who_sits_down_or_starts_hears_where_their_cards_come(
    bot: RunningBot, button: str, *, was_reached: bool, shows_alone: bool
) -> None:
    """Covers a chat without ephemeral answers, which cannot write to a player first either."""
    private_chat = PrivateChat.IN_THE_ROOM if shows_alone else PrivateChat.BEHIND_A_STEP
    bot.chat.limits = replace(bot.chat.limits, private_chat=private_chat)
    opener, presser = (ANNA, BORIS) if button == "Join" else (BORIS, BORIS)
    await bot.opened(opener)

    if button == "Start":
        await bot.chat.presses(ANNA, bot.table_message().ref, "Join")

    if was_reached:
        await bot.chat.opens_private(presser)

    reply = await bot.chat.presses(presser, bot.table_message().ref, button)
    if was_reached:  # a player with earlier private messages needs no notice
        assert reply.toast is None
    else:
        assert (PRIVATE in told_by(reply), AT_THE_TABLE in told_by(reply)) == (shows_alone, not shows_alone)


async def test_where_cards_come_is_said_once_and_not_at_every_join(bot: RunningBot) -> None:
    await bot.opened(ANNA)
    assert PRIVATE in told_by(await bot.chat.presses(BORIS, bot.table_message().ref, "Join"))
    for label in ("Leave", "Join"):
        assert (await bot.chat.presses(BORIS, bot.table_message().ref, label)).toast is None
        await bot.settle()


@pytest.mark.parametrize("opens", ["My hand", "/hand"])
async def test_who_has_found_their_cards_at_the_table_is_not_told_the_way_at_a_rematch(
    bot: RunningBot, opens: str
) -> None:
    bot.chat.limits = replace(bot.chat.limits, ephemeral_seconds=600.0, private_chat=PrivateChat.IN_THE_ROOM)
    bot.chat.closed.add(ANNA.ref)
    await bot.chat.types(ANNA, "/durak bots")
    await bot.settle()

    if opens.startswith("/"):
        await bot.chat.types(ANNA, opens)
    else:
        await bot.chat.presses(ANNA, bot.table_message().ref, opens)

    (table_id,) = bot.app.tables.tables_in(ROOM)
    await bot.app.tables.resign(table_id, ANNA)
    await bot.settle()
    assert (await bot.chat.presses(ANNA, bot.chat.room_sees()[-1].ref, "Rematch")).toast is None


async def test_who_was_warned_that_nothing_can_be_written_to_them_is_not_told_again_at_a_rematch(
    bot: RunningBot,
) -> None:
    bot.chat.limits = replace(bot.chat.limits, ephemeral_seconds=600.0, private_chat=PrivateChat.IN_THE_ROOM)
    bot.chat.closed.add(ANNA.ref)
    await bot.chat.types(ANNA, "/durak bots")
    await bot.settle()
    (table_id,) = bot.app.tables.tables_in(ROOM)
    warning = await bot.chat.presses(ANNA, bot.table_message().ref, "⚙️ Table")
    assert "I can’t write to you" in told_by(warning)

    await bot.app.tables.resign(table_id, ANNA)
    await bot.settle()
    assert (await bot.chat.presses(ANNA, bot.chat.room_sees()[-1].ref, "Rematch")).toast is None


def notices(bot: RunningBot) -> list[Message]:
    """Returns the room's notices about private messages that do not arrive."""
    return [message for message in bot.chat.room_sees() if message.text.endswith(f"{AT_THE_TABLE}.")]


async def waits_for_boris(bot: RunningBot, table: Table) -> None:
    while await bot.waiting_for(table) != BORIS:
        await bot.plays(table)
    await bot.settle()


async def test_who_is_awaited_and_cannot_be_written_to_is_told_in_the_room_at_once_where_their_cards_are(
    bot: RunningBot,
) -> None:
    bot.chat.limits = replace(bot.chat.limits, ephemeral_seconds=600.0)
    bot.chat.closed.add(BORIS.ref)
    table = await bot.dealt(ANNA, BORIS)
    drawn = [sent.screen for sent in bot.chat.sent if sent.ref == bot.table_message().ref]
    assert len(drawn) == len(set(drawn)), "the table was edited without a difference"

    shown = [button for row in bot.table_message().screen.rows for button in row]
    assert not any(isinstance(button, PrivateChatButton) for button in shown)

    await waits_for_boris(bot, table)
    await bot.skip(2.0)
    (notice,) = notices(bot)
    assert notice.text == "Boris: press “My hand”."
    assert [span.mention for span in notice.screen.body if span.mention] == [BORIS.ref]
    assert [button.label for button in notice.buttons] == ["My hand"]

    await bot.skip(25.0)
    assert [each.ref for each in notices(bot)] == [notice.ref]
    assert not bot.calls(), "one ring is enough"

    await bot.skip(40.0)
    assert len(bot.calls()) == 1
    assert notices(bot) == []


@pytest.mark.parametrize("found", [True, False])
async def test_who_has_heard_of_it_or_found_their_cards_is_not_told_in_the_room(
    bot: RunningBot, *, found: bool
) -> None:
    bot.chat.limits = replace(bot.chat.limits, ephemeral_seconds=600.0)
    bot.chat.closed.add(BORIS.ref)
    table = await bot.dealt(ANNA, BORIS)

    if found:
        await bot.chat.presses(BORIS, bot.table_message().ref, "My hand")
    else:
        token = f"t:{table.id}:1:play_on"
        await bot.chat.types(ANNA, "/stop")
        await bot.settle()
        replies = [await bot.chat.presses_token(BORIS, bot.table_message().ref, token) for _ in "12"]
        assert [reply.toast for reply in replies] == [
            "I can’t write to you. Press “My hand” at the table.",
            "The game goes on.",
        ]

    await bot.settle()
    await waits_for_boris(bot, table)
    await bot.skip(2.0)
    assert notices(bot) == []

    await bot.skip(20.0)
    assert len(bot.calls()) == 1


async def test_the_way_is_the_same_at_the_join_and_at_the_deal_and_is_shown_once(bot: RunningBot) -> None:
    """A chat that can answer for the presser alone, though not in every room."""
    bot.chat.limits = replace(
        bot.chat.limits, private_chat=PrivateChat.BEHIND_A_STEP, ephemeral_seconds=600.0
    )
    bot.chat.hidden_answers.add(ROOM)
    bot.chat.closed.add(BORIS.ref)
    await bot.opened(ANNA)
    assert AT_THE_TABLE in told_by(await bot.chat.presses(BORIS, bot.table_message().ref, "Join"))

    await bot.chat.presses(ANNA, bot.table_message().ref, "Start")
    await bot.settle()
    table = await bot.app.tables.in_room(ROOM)
    assert table is not None
    await waits_for_boris(bot, table)
    await bot.skip(2.0)
    assert [notice.text for notice in notices(bot)] == ["Boris: press “My hand”."]

    await bot.chat.presses(BORIS, notices(bot)[0].ref, "My hand")
    await bot.app.tables.resign(table.id, ANNA)
    await bot.settle()
    for user in (ANNA, BORIS):
        await bot.app.tables.rematch(table.id, user)

    await bot.app.tables.start(table.id, ANNA.ref)
    await bot.settle()
    await waits_for_boris(bot, await bot.app.tables.table(table.id))
    await bot.skip(2.0)
    assert notices(bot) == []


async def test_coming_settles_the_call_though_the_refusal_is_heard_of_later(bot: RunningBot) -> None:
    bot.chat.limits = replace(bot.chat.limits, ephemeral_seconds=600.0)
    bot.chat.closed.add(BORIS.ref)
    bot.chat.gates[BORIS.ref] = asyncio.Event()
    table = await bot.dealt(ANNA, BORIS)
    await bot.chat.presses(BORIS, bot.table_message().ref, "My hand")
    bot.chat.gates.pop(BORIS.ref).set()
    await bot.settle()
    while await bot.waiting_for(table) != BORIS:
        await bot.plays(table)
        await bot.settle()

    posted = [text_of(sent.screen) for sent in bot.chat.sent if sent.verb == "post" and sent.screen]
    assert not any("press “My hand”" in text for text in posted)


async def test_nobody_is_shown_the_way_for_a_moment_of_throwing_in(bot: RunningBot) -> None:
    bot.chat.limits = replace(bot.chat.limits, ephemeral_seconds=600.0)
    bot.chat.closed |= {ANNA.ref, BORIS.ref, CLARA.ref}
    table = await bot.dealt(ANNA, BORIS, CLARA)
    state = (await bot.session(table)).state
    while state is not None and not state.public_view().is_throw_in_round:
        seat = min(state.awaited)
        move = str(state.legal_moves(seat)[0])
        await bot.app.tables.submit(table.id, seat, move, (await bot.session(table)).version)
        state = (await bot.session(table)).state

    await bot.settle()
    assert notices(bot) == []


async def test_finding_the_cards_takes_the_notice_away(bot: RunningBot) -> None:
    bot.chat.limits = replace(bot.chat.limits, ephemeral_seconds=600.0)
    bot.chat.closed.add(BORIS.ref)
    await waits_for_boris(bot, await bot.dealt(ANNA, BORIS))
    await bot.chat.presses(BORIS, notices(bot)[0].ref, "My hand")
    await bot.settle()
    assert notices(bot) == []


async def test_after_a_restart_nothing_is_promised_that_did_not_arrive_before(bot: RunningBot) -> None:
    bot.chat.closed.add(BORIS.ref)
    await bot.dealt(ANNA, BORIS)
    await bot.stopped(ANNA, BORIS)
    await bot.restart()
    await bot.opened(ANNA)
    assert AT_THE_TABLE in told_by(await bot.chat.presses(BORIS, bot.table_message().ref, "Join"))


async def test_who_finds_their_cards_by_themselves_is_told_nothing(bot: RunningBot) -> None:
    bot.chat.limits = replace(bot.chat.limits, ephemeral_seconds=600.0)
    bot.chat.closed.add(BORIS.ref)
    table = await bot.dealt(ANNA, BORIS)
    assert (await bot.chat.presses(BORIS, bot.table_message().ref, "My hand")).toast is None
    reply = await bot.chat.presses_token(BORIS, bot.table_message().ref, f"t:{table.id}:1:play_on")
    assert reply.toast == "The game goes on."


async def test_who_wants_no_private_messages_gets_none_until_they_say_so(bot: RunningBot) -> None:
    bot.chat.limits = replace(bot.chat.limits, ephemeral_seconds=600.0)
    table = await bot.dealt(ANNA, BORIS)
    private = bot.hand_message(ANNA).ref

    await bot.chat.presses(ANNA, bot.table_message().ref, "My hand")
    await bot.settle()
    await bot.chat.presses(ANNA, private, "Don’t write to me here")
    await bot.settle()

    assert bot.chat.messages[private].text.startswith("OK, I won’t write to you here.")

    await bot.restart()
    await bot.app.tables.resign(table.id, ANNA)
    await bot.settle()
    before = len(bot.chat.rang_for(ANNA))

    for user in (ANNA, BORIS):
        await bot.app.tables.rematch(table.id, user)

    await bot.app.tables.start(table.id, ANNA.ref)
    await bot.settle()
    assert len(bot.chat.rang_for(ANNA)) == before
    assert "Your 6 cards" in bot.hand_message(BORIS).text

    hand = (await bot.chat.presses(ANNA, bot.table_message().ref, "My hand")).secret
    assert hand is not None
    assert "Your 6 cards" in text_of(hand)

    await bot.settle()
    again = await bot.chat.presses(ANNA, private, "Write to me here again")
    assert again.toast == "OK, your cards will come here again."

    await bot.app.tables.resign(table.id, ANNA)
    for user in (ANNA, BORIS):
        await bot.app.tables.rematch(table.id, user)

    await bot.app.tables.start(table.id, ANNA.ref)
    await bot.settle()
    assert len(bot.chat.rang_for(ANNA)) == before + 2  # the end of the game before, and this one


async def test_a_person_chooses_by_buttons_in_one_private_message(bot: RunningBot) -> None:
    bot.chat.limits = replace(bot.chat.limits, ephemeral_seconds=600.0)
    await bot.chat.types(ANNA, "/me")
    mine = bot.chat.sees_alone(ANNA)[-1].ref

    for choice, value, shown in (
        ("🔔 When it’s my turn", "never in private", "🔔 When it’s my turn: never in private"),
        ("📣 Others may call you", "yes", "📣 Others may call you to play: yes"),
        ("🃏 Order of your cards", "by suit", "🃏 Order of your cards: by suit"),
    ):
        await bot.chat.presses(ANNA, mine, choice)
        await bot.chat.presses(ANNA, mine, value)
        assert shown in [button.label for button in bot.chat.messages[mine].buttons]

    await bot.restart()
    before = len(bot.chat.rang_for(ANNA))
    await bot.dealt(BORIS, ANNA)

    assert len(bot.chat.rang_for(ANNA)) == before
    assert "There’s no “maybe”" in told_by(await bot.chat.types(BORIS, "/me turn maybe"))

    data = await data_of(await bot.chat.types(ANNA, "/mydata"))
    assert data["person"][0]["calling"] == "never"


async def test_a_person_chooses_their_language_by_buttons(bot: RunningBot) -> None:
    bot.chat.limits = replace(bot.chat.limits, ephemeral_seconds=600.0)
    await bot.chat.types(ANNA, "/me")
    mine = bot.chat.sees_alone(ANNA)[-1].ref

    for choice in ("🗣 Your language", "Deutsch"):
        await bot.chat.presses(ANNA, mine, choice)

    assert "🃏 Karten sortieren: nach Wert" in [button.label for button in bot.chat.messages[mine].buttons]
    await bot.restart()
    secret = (await bot.chat.types(ANNA, "/me")).secret
    assert secret is not None
    assert "🃏 Karten sortieren: nach Wert" in [button.label for button in buttons_of(secret)]


async def test_who_cannot_be_shown_anything_at_the_table_cannot_do_without_private_messages(
    bot: RunningBot,
) -> None:
    assert "There’s no “never”" in told_by(await bot.chat.types(ANNA, "/me turn never"))
    bot.chat.limits = replace(bot.chat.limits, boards=True)
    assert "There’s no “turn”" in told_by(await bot.chat.types(ANNA, "/me turn later"))
    shown = (await bot.chat.types(ANNA, "/me tap on")).secret
    assert shown is not None
    assert "👆 One tap plays a card: yes" in [button.label for button in buttons_of(shown)]


async def test_who_refuses_private_messages_hears_that_their_cards_are_at_the_table(bot: RunningBot) -> None:
    bot.chat.closed.add(BORIS.ref)
    await bot.dealt(ANNA, BORIS)
    await bot.stopped(ANNA, BORIS)
    await bot.opened(ANNA)
    assert AT_THE_TABLE in told_by(await bot.chat.presses(BORIS, bot.table_message().ref, "Join"))


async def test_who_will_see_their_cards_on_the_table_itself_is_told_nothing_of_them(bot: RunningBot) -> None:
    bot.chat.limits = replace(bot.chat.limits, boards=True)
    await bot.opened(ANNA)
    for user, button in ((BORIS, "Join"), (ANNA, "Start")):
        reply = await bot.chat.presses(user, bot.table_message().ref, button)
        assert reply == Reply(open_private=True)


async def test_a_moderator_who_starts_and_does_not_play_hears_of_no_cards(bot: RunningBot) -> None:
    bot.chat.moderators.add(CLARA.ref)
    await bot.opened(ANNA, BORIS)
    assert await bot.chat.presses(CLARA, bot.table_message().ref, "Start") == Reply()


async def test_joining_leads_newcomers_to_the_private_chat_and_nobody_else(bot: RunningBot) -> None:
    await bot.opened(ANNA)
    reply = await bot.chat.presses(BORIS, bot.table_message().ref, "Join")
    assert reply.open_private

    await bot.chat.opens_private(BORIS)
    await bot.chat.presses(BORIS, bot.table_message().ref, "Leave")
    await bot.settle()

    reply = await bot.chat.presses(BORIS, bot.table_message().ref, "Join")
    assert not reply.open_private
