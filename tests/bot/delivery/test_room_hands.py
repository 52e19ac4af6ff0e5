"""The hand follows its player's last press: in the room, ephemerally, or in the private chat."""

import asyncio
from dataclasses import replace

import pytest

from adapters.port import User
from bot.delivery.rings import PRESENT_SECONDS
from bot.delivery.room_hands import NOTICE_SECONDS
from bot.model.messages import MessageKind, OnlyInRoom, TableSlot
from bot.model.table import Table
from bot.model.waiting import CALL_AFTER_IN_ROOM
from tests.bot.chat import ROOM
from tests.bot.messages import Message, text_of
from tests.bot.running_bot import ANNA, BORIS, CALL, SHORT_GAME, RunningBot

LIFETIME = 840.0
ELSEWHERE = "Your cards moved to the table"
FADING = "Press any button here"
OPTS_IN = "Cards in private"
ENDS_WITH_A_FOOL = "5eed1"  # from this seed Anna loses, not all games have a loser


@pytest.fixture(autouse=True)
def hands_follow_in_rooms(bot: RunningBot) -> None:
    bot.chat.limits = replace(bot.chat.limits, ephemeral_seconds=LIFETIME)


def in_room(bot: RunningBot, user: User) -> list[Message]:
    """Returns the player's ephemeral messages in the room."""
    return [message for message in bot.chat.sees_alone(user) if isinstance(message.audience, OnlyInRoom)]


def labels_of(message: Message) -> list[str]:
    """Returns the labels of all buttons, including those that lead to the private chat."""
    return [button.label for row in message.screen.rows for button in row]


def in_private(bot: RunningBot, user: User) -> list[Message]:
    return [message for message in bot.chat.sees_alone(user) if not isinstance(message.audience, OnlyInRoom)]


async def opens_hand(bot: RunningBot, user: User) -> Message:
    """Presses My hand under the table."""
    await bot.chat.presses(user, bot.table_message().ref, "My hand")
    await bot.settle()
    return in_room(bot, user)[-1]


async def test_a_hand_opened_in_the_room_follows_the_game(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    first = await opens_hand(bot, ANNA)
    for _ in range(3):
        await bot.plays(table)
        await bot.settle()
        (hand,) = in_room(bot, ANNA)
        assert hand.ref == first.ref

        session = await bot.session(table)
        assert session.state is not None
        offered = {button.token.split(":", 3)[-1] for button in hand.buttons}
        assert offered >= {str(move) for move in session.state.legal_moves(0)}

    assert hand.text != first.text


async def test_a_hand_that_was_typed_for_follows_the_game_in_place_of_the_one_before(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    pressed = await opens_hand(bot, ANNA)
    await bot.chat.types(ANNA, "/hand")
    await bot.settle()
    (typed,) = in_room(bot, ANNA)
    assert typed.ref != pressed.ref

    await bot.plays(table)
    await bot.settle()
    (hand,) = in_room(bot, ANNA)
    assert (hand.ref, hand.text == typed.text) == (typed.ref, False)

    (private,) = in_private(bot, ANNA)
    assert private.text.startswith(ELSEWHERE)


@pytest.mark.parametrize("what_is_late", ["gates", "receipts"])
async def test_a_hand_that_is_opened_anew_while_the_old_one_is_edited_stays(
    bot: RunningBot, what_is_late: str
) -> None:
    """The new answer was deleted as it arrived, and the cards moved to the private chat."""
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    old = await opens_hand(bot, ANNA)

    late = asyncio.Event()
    getattr(bot.chat, what_is_late)[ROOM] = late
    bot.chat.sent.clear()
    await bot.plays(table)
    await bot.until(lambda: any(sent.ref == old.ref for sent in bot.chat.sent))
    getattr(bot.chat, what_is_late).clear()

    await bot.chat.types(ANNA, "/hand")
    await bot.until(lambda: old.ref not in bot.chat.messages)
    late.set()
    await bot.settle()

    (new,) = in_room(bot, ANNA)
    assert new.ref != old.ref
    for _ in range(2):
        await bot.plays(table)
        await bot.settle()
        (hand,) = in_room(bot, ANNA)
        assert (hand.ref, hand.text == new.text) == (new.ref, False)

    assert in_private(bot, ANNA)[-1].text.startswith(ELSEWHERE)


async def test_the_private_chat_says_where_the_cards_are_and_brings_them_back(bot: RunningBot) -> None:
    await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    (private,) = in_private(bot, ANNA)
    cards = private.text
    await opens_hand(bot, ANNA)
    (private,) = in_private(bot, ANNA)
    assert private.text.startswith(ELSEWHERE)
    assert len(bot.chat.rang_for(ANNA)) == 1

    await bot.chat.presses(ANNA, private.ref, "Show them here")
    await bot.settle()
    assert [each.text for each in in_private(bot, ANNA)] == [cards]
    assert not in_room(bot, ANNA)
    assert len(bot.chat.rang_for(ANNA)) == 1


async def test_the_hand_stays_in_the_room_where_the_private_chat_could_not_show_it(bot: RunningBot) -> None:
    await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await opens_hand(bot, ANNA)
    (private,) = in_private(bot, ANNA)
    bot.chat.closed.add(ANNA.ref)
    await bot.chat.presses(ANNA, private.ref, "Show them here")
    await bot.settle()
    assert in_room(bot, ANNA)


async def test_a_second_hand_in_the_room_replaces_the_first(bot: RunningBot) -> None:
    await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    first = await opens_hand(bot, ANNA)
    second = await opens_hand(bot, ANNA)
    assert first.ref != second.ref
    assert in_room(bot, ANNA) == [second]


async def test_who_cannot_be_written_to_plays_on_in_the_room(bot: RunningBot) -> None:
    bot.chat.closed.add(ANNA.ref)
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME, seed=ENDS_WITH_A_FOOL)
    assert not bot.chat.sees_alone(ANNA)

    await opens_hand(bot, ANNA)
    await bot.plays_to_the_end(table)
    await bot.settle()

    (hand,) = in_room(bot, ANNA)
    assert hand.text == "🃏 You’re the fool!"


async def test_a_hand_that_vanished_is_in_the_private_chat_again(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    hand = await opens_hand(bot, ANNA)

    bot.chat.forget(hand.ref)
    await bot.plays(table)
    await bot.settle()

    (private,) = in_private(bot, ANNA)
    assert not private.text.startswith(ELSEWHERE)
    assert await opens_hand(bot, ANNA)


async def test_a_hand_says_in_time_that_it_needs_a_press_to_follow_the_game(bot: RunningBot) -> None:
    await bot.dealt(ANNA, BORIS, rules=f"{SHORT_GAME}")
    hand = await opens_hand(bot, ANNA)
    await bot.skip(LIFETIME - NOTICE_SECONDS - 1)
    assert FADING not in in_room(bot, ANNA)[0].text

    await bot.skip(2)
    assert FADING in in_room(bot, ANNA)[0].text

    await bot.chat.presses(ANNA, hand.ref, "⇅")
    await bot.settle()
    assert FADING not in in_room(bot, ANNA)[0].text

    await bot.skip(LIFETIME - NOTICE_SECONDS - 1)
    assert FADING not in in_room(bot, ANNA)[0].text


async def test_opening_the_private_chat_brings_the_hand_there(bot: RunningBot) -> None:
    await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await opens_hand(bot, ANNA)
    await bot.chat.opens_private(ANNA, ROOM)
    await bot.settle()
    assert not in_room(bot, ANNA)
    (private,) = in_private(bot, ANNA)
    assert not private.text.startswith(ELSEWHERE)


async def test_after_a_restart_the_hand_is_where_it_was(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    hand = await opens_hand(bot, ANNA)
    await bot.restart()
    await bot.settle()

    await bot.plays(table)
    await bot.settle()

    assert [each.ref for each in in_room(bot, ANNA)] == [hand.ref]
    assert in_private(bot, ANNA)[0].text.startswith(ELSEWHERE)


async def test_each_player_has_their_own_hand_in_the_room(bot: RunningBot) -> None:
    await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    annas = await opens_hand(bot, ANNA)
    boriss = await opens_hand(bot, BORIS)
    assert in_room(bot, ANNA) == [annas]
    assert in_room(bot, BORIS) == [boriss]
    assert annas.text != boriss.text


async def test_the_end_of_a_game_needs_no_press(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await opens_hand(bot, ANNA)
    await bot.plays_to_the_end(table)
    await bot.skip(LIFETIME - NOTICE_SECONDS + 1)
    bot.app.outbox.mark_dirty(table.subject)
    await bot.settle()
    assert all(FADING not in message.text for message in bot.chat.sees_alone(ANNA))


async def test_a_hand_in_the_private_chat_never_asks_for_a_press_to_follow_the_game(bot: RunningBot) -> None:
    await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    hand = await opens_hand(bot, ANNA)
    sort = next(button.token for button in hand.buttons if button.label.startswith("⇅"))

    bot.chat.dislikes = lambda _: True
    await bot.chat.presses_token(ANNA, hand.ref, sort)
    await bot.settle()

    bot.chat.dislikes = lambda _: False
    await bot.skip(LIFETIME)

    (private,) = in_private(bot, ANNA)
    assert FADING not in private.text
    assert not private.text.startswith(ELSEWHERE)


async def test_a_hand_in_the_room_goes_on_with_the_next_game_and_is_called_soon(bot: RunningBot) -> None:
    await bot.chat.types(ANNA, "/settings quiet off")
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    hand = await opens_hand(bot, ANNA)
    await bot.plays_to_the_end(table)
    for user in (ANNA, BORIS):
        await bot.app.tables.rematch(table.id, user)

    rang = len(bot.chat.rang_for(ANNA))
    await bot.restart()
    await bot.app.tables.start(table.id, ANNA.ref, event="start")
    await bot.settle()
    (kept,) = in_room(bot, ANNA)
    assert kept.ref == hand.ref
    assert "Your 12 cards" in kept.text
    assert len(bot.chat.rang_for(ANNA)) == rang

    table = await bot.app.tables.table(table.id)
    await waits_for_anna(bot, table)
    await bot.skip(CALL_AFTER_IN_ROOM)
    assert bot.calls() == ["⏰ Anna: your move!"]


async def test_the_first_call_of_a_later_game_comes_as_soon_as_any_other(bot: RunningBot) -> None:
    await bot.chat.types(ANNA, "/settings quiet off")
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    for user in (ANNA, BORIS):
        await opens_hand(bot, user)
    await bot.plays_to_the_end(table)
    for user in (ANNA, BORIS):
        await bot.app.tables.rematch(table.id, user)

    await bot.app.tables.start(table.id, ANNA.ref, event="start")
    await bot.settle()
    table = await bot.app.tables.table(table.id)
    awaited = await bot.waiting_for(table)
    await bot.skip(CALL_AFTER_IN_ROOM)
    assert bot.calls() == [f"⏰ {awaited.name}: your move!"]


async def deals_again(bot: RunningBot, starter: User, *, pause: float = 0.0) -> Table:
    """Plays a game that Anna loses with both hands in the room, gathers for the next, and starts that later.

    Boris begins the next game.
    """
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME, seed=ENDS_WITH_A_FOOL)
    for user in (ANNA, BORIS):
        await opens_hand(bot, user)

    await bot.plays_to_the_end(table)
    others = [user for user in (ANNA, BORIS) if user != starter]
    for user in (starter, *others):
        await bot.chat.presses(user, result_message(bot).ref, "Rematch")

    await bot.settle()
    await bot.skip(pause)
    bot.chat.sent.clear()
    await bot.chat.presses(starter, bot.table_message().ref, "Start")
    await bot.settle()
    table = await bot.app.tables.table(table.id)
    assert await bot.waiting_for(table) == BORIS
    return table


def result_message(bot: RunningBot) -> Message:
    return next(message for message in bot.chat.room_sees() if "Rematch" in labels_of(message))


def posted_in_room(bot: RunningBot) -> list[str]:
    """Returns what the room saw as new messages since the deal."""
    sent = [each for each in bot.chat.sent if each.verb == "post" and each.place == ROOM and each.screen]
    return [text_of(each.screen) for each in sent if each.screen and text_of(each.screen).startswith(CALL)]


async def test_the_next_game_rings_at_the_first_turn_of_a_player_with_a_hand_in_the_room(
    bot: RunningBot,
) -> None:
    """Their hand was edited above the result, and nothing told them of it for ten seconds."""
    table = await deals_again(bot, ANNA, pause=PRESENT_SECONDS)
    assert bot.calls() == [f"{CALL} Boris: your move!"]

    await bot.skip(3.0)
    (call,) = [message for message in bot.chat.room_sees() if message.text.startswith(CALL)]
    await bot.chat.presses(BORIS, call.ref, "My hand")
    await bot.skip(CALL_AFTER_IN_ROOM)
    assert posted_in_room(bot) == [f"{CALL} Boris: your move!"], "one ring is enough"

    await bot.plays(table)
    await bot.settle()
    assert bot.calls() == []


async def test_each_player_is_rung_once_in_the_next_game(bot: RunningBot) -> None:
    table = await deals_again(bot, BORIS, pause=PRESENT_SECONDS)
    await bot.skip(PRESENT_SECONDS)
    bot.chat.sent.clear()
    await bot.plays(table)
    await bot.settle()
    assert posted_in_room(bot) == [f"{CALL} Anna: your move!"]

    bot.chat.sent.clear()
    for _ in range(4):
        await bot.skip(CALL_AFTER_IN_ROOM - 1)
        await bot.plays(table)
        await bot.settle()

    assert posted_in_room(bot) == []


@pytest.mark.parametrize("pause", [0.0, PRESENT_SECONDS - 1])
async def test_who_has_just_asked_for_the_next_game_is_called_after_ten_seconds(
    bot: RunningBot, pause: float
) -> None:
    await deals_again(bot, ANNA, pause=pause)
    assert bot.calls() == []
    await bot.skip(CALL_AFTER_IN_ROOM)
    assert bot.calls() == [f"{CALL} Boris: your move!"]


async def test_who_deals_the_next_game_finds_their_hand_below_the_result(bot: RunningBot) -> None:
    await deals_again(bot, BORIS, pause=PRESENT_SECONDS)
    assert bot.calls() == []

    (hand,) = in_room(bot, BORIS)
    places = list(bot.chat.messages)
    assert places.index(hand.ref) > places.index(result_message(bot).ref)
    assert "Your 12 cards" in hand.text

    await bot.plays(await bot.app.tables.table(1))
    await bot.settle()
    (after,) = in_room(bot, BORIS)
    assert (after.ref, after.text == hand.text) == (hand.ref, False)


async def test_who_plays_on_against_bots_finds_their_hand_below_the_result(bot: RunningBot) -> None:
    await bot.chat.types(ANNA, f"/durak bots {SHORT_GAME}")
    await bot.settle()
    await opens_hand(bot, ANNA)
    (table_id,) = bot.app.tables.tables_in(ROOM)
    await bot.app.tables.resign(table_id, ANNA)
    await bot.settle()
    result = result_message(bot).ref
    await bot.chat.presses(ANNA, result, "Rematch")
    await bot.settle()

    (hand,) = in_room(bot, ANNA)
    places = list(bot.chat.messages)
    assert places.index(hand.ref) > places.index(result)
    assert "Your 12 cards" in hand.text


async def test_who_wants_to_be_called_later_is_not_rung_at_once(bot: RunningBot) -> None:
    await bot.chat.types(BORIS, "/me turn later")
    await deals_again(bot, ANNA, pause=PRESENT_SECONDS)
    assert bot.calls() == []


async def test_the_end_of_the_last_game_in_private_delays_no_call(bot: RunningBot) -> None:
    """Such a message was taken for a hand of the new game, outside the room."""
    table = await deals_again(bot, ANNA)
    ended = TableSlot(table.id, table.game - 1, MessageKind.HAND, BORIS.ref)
    await bot.app.presenter.note_shown(ended, (await bot.session(table)).seen_version)
    await bot.skip(CALL_AFTER_IN_ROOM)
    assert bot.calls() == [f"{CALL} Boris: your move!"]


def is_announced(bot: RunningBot) -> bool:
    """Returns whether the room shows a link to the private chat."""
    return any(OPTS_IN in labels_of(message) for message in bot.chat.room_sees())


async def waits_for_anna(bot: RunningBot, table: Table) -> None:
    while await bot.waiting_for(table) != ANNA:
        await bot.plays(table)
    await bot.settle()
