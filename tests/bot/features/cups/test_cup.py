"""`/cup`: the sign-up, the rounds at their tables, and the honours at the end."""

from collections.abc import Sequence
from functools import partial

import pytest

from adapters.port import Budget, Budgets, RoomRef, ServerRef, Throttled, User, UserRef
from bot.features.cups.handlers import CHECK_SECONDS, MAX_DELAY_SECONDS, ROUND_SECONDS, SIGN_UP_SECONDS
from bot.features.cups.messages import SOON_SECONDS, list_of
from bot.features.cups.model import Cup, CupPhase
from bot.features.cups.part import BREAK_SECONDS, CHANGES_SECONDS, Cups
from bot.model.series import FINAL, ROUNDS
from bot.model.table import Phase, Table
from engine import Stop, shuffled
from engine.runtime import Author
from tests.bot.chat import ROOM, own_room, person
from tests.bot.databases import on_every_database
from tests.bot.messages import Message, text_of
from tests.bot.running_bot import RunningBot

NAMES = ("Anna", "Boris", "Clara", "Dima", "Elena", "Fritz", "Greta", "Hanna", "Igor", "Jonas", "Katya")
FRIENDS = [person(name) for name in NAMES]
SHORT_GAME = "podkidnoy-24 throw_in=none"
ANNA, BORIS, CLARA, DIMA, ELENA = FRIENDS[:5]


def message_of(bot: RunningBot) -> Message:
    """Returns the message that shows the cup: the first one of it."""
    return next(message for message in bot.chat.room_sees() if message.text.startswith("🏆"))


async def gathered(bot: RunningBot, people: Sequence[User], typed: str = f"/cup {SHORT_GAME}") -> Cup:
    """Opens a cup and signs these people up."""
    opener, *others = people
    await bot.chat.types(opener, typed)
    await bot.settle()
    for other in others:
        await bot.chat.presses(other, message_of(bot).ref, "I’m in")

    await bot.settle()
    return await cup_of(bot)


async def begun(bot: RunningBot, people: Sequence[User]) -> Cup:
    """Opens a cup and deals its first round."""
    await gathered(bot, people)
    await bot.chat.presses(people[0], message_of(bot).ref, "Begin now")
    await bot.settle()
    return await cup_of(bot)


async def cup_of(bot: RunningBot) -> Cup:
    return await bot.app.part(Cups).get(1)


async def plays(bot: RunningBot, table_id: int) -> None:
    """Plays every first legal move at a table, to the end."""
    while True:
        session = await bot.app.tables.session(table_id)
        state = session.state
        assert state is not None

        if session.outcome is not None:
            break

        seat = min(state.awaited)
        move = str(state.legal_moves(seat)[0])
        await bot.app.tables.submit(table_id, seat, move, session.version, Author.PLAYER)

    await bot.settle()


async def plays_round(bot: RunningBot) -> Cup:
    """Plays all tables of the round to the end, one after another."""
    for game in (await cup_of(bot)).current_games:
        await plays(bot, game.table_id)

    await bot.skip(BREAK_SECONDS)
    return await cup_of(bot)


def lines(message: Message) -> list[str]:
    return message.text.splitlines()


@pytest.mark.slow
async def test_eleven_friends_play_two_rounds_and_a_final_beside_the_table_of_the_room(
    bot: RunningBot,
) -> None:
    table = await bot.opened(person("Milda"))
    cup = await begun(bot, FRIENDS)
    drawn = shuffled(FRIENDS, cup.seed, f"{cup.salt}|round 1")
    tables = [[player.name for player in drawn[start:end]] for start, end in ((0, 4), (4, 8), (8, 11))]
    assert lines(message_of(bot)) == [
        "🏆 Cup, round 1 of 2",
        *[f"▶️ {', '.join(names)}" for names in tables],
        "",
        "First out gets 3 points, the next 2, then 1; the fool gets none.",
    ]

    await plays_round(bot)
    await plays_round(bot)
    cup = await cup_of(bot)
    assert cup.round == FINAL
    assert len(cup.current_games[0].players) == 4

    cup = await plays_round(bot)
    assert cup.phase is CupPhase.OVER

    names = {each.user: each.name for each in cup.entrants}
    assert cup.winner is not None
    assert lines(message_of(bot))[:2] == ["🏆 Cup, the end", f"🏆 {names[cup.winner]} wins the cup!"]
    assert f"🔑 Key of the draw: {cup.seed} {cup.salt}" in lines(message_of(bot))
    assert message_of(bot).buttons == ()
    assert bot.chat.room_sees()[-1].text.startswith(f"🏆 {names[cup.winner]} wins the cup!")
    assert (await bot.app.tables.table(table.id)).phase is Phase.LOBBY

    await bot.chat.types(BORIS, "/fool seasons")
    await bot.settle()
    assert f"🥇 Cup: {names[cup.winner]}" in bot.chat.room_sees()[-1].text


@pytest.mark.slow
@on_every_database
async def test_a_cup_outlives_the_bot_at_every_step(bot: RunningBot) -> None:
    await gathered(bot, FRIENDS[:5])
    await bot.restart()
    await bot.skip(SIGN_UP_SECONDS)
    cup = await cup_of(bot)
    assert cup.round == 1

    posts = len(bot.chat.room_sees())
    await bot.restart()
    await bot.settle()
    assert len(bot.chat.room_sees()) == posts

    for number in range(1, FINAL + 1):
        assert (await cup_of(bot)).round == number
        for game in (await cup_of(bot)).current_games:
            await plays(bot, game.table_id)
            await bot.restart()
            await bot.settle()

        await bot.skip(BREAK_SECONDS)

    cup = await cup_of(bot)
    assert cup.phase is CupPhase.OVER

    ends = [message for message in bot.chat.room_sees() if "wins the cup!" in message.text]
    assert len(ends) == 2  # its message, and the news of its end

    await bot.restart()
    await bot.settle()
    assert [message for message in bot.chat.room_sees() if "wins the cup!" in message.text] == ends


async def test_a_round_killed_between_its_draw_and_its_deal_is_dealt_at_the_next_start(
    bot: RunningBot,
) -> None:
    await gathered(bot, FRIENDS[:8])
    async with bot.without_disk():
        await bot.chat.presses(ANNA, message_of(bot).ref, "Begin now")
        await bot.settle()
        drawn = await cup_of(bot)
        assert drawn.round == 1

    await bot.restart()
    await bot.settle()
    cup = await cup_of(bot)
    assert cup.games == drawn.games

    phases = {(await bot.app.tables.table(game.table_id)).phase for game in cup.games}
    assert phases == {Phase.PLAYING}


async def test_who_leaves_is_replaced_by_the_next_in_line(bot: RunningBot) -> None:
    await begun(bot, FRIENDS[:5])
    reply = await bot.chat.presses(FRIENDS[9], message_of(bot).ref, "Get in line")
    assert reply.toast == "You’re in line: if somebody leaves, you take over the place in the second round."

    reply = await bot.chat.presses(BORIS, message_of(bot).ref, "Leave the cup")
    assert reply.toast == "You’re out of the cup. A game that is running goes on: leave it at the table."

    await bot.settle()
    assert "In line: Jonas" in lines(message_of(bot))

    cup = await plays_round(bot)
    players = {user for game in cup.current_games for user in game.players}
    assert FRIENDS[9].ref in players
    assert BORIS.ref not in players
    assert "Jonas" in message_of(bot).text


async def test_who_is_missing_is_played_for_and_then_out_of_the_cup(bot: RunningBot) -> None:
    cup = await begun(bot, FRIENDS[:5])
    smaller = cup.current_games[1]
    missing, present = smaller.players
    await bot.app.tables.change(smaller.table_id, lambda now: now.with_presence(missing, has_left=True))

    cup = await plays_round(bot)
    assert cup.round == ROUNDS

    players = [user for game in cup.current_games for user in game.players]
    assert missing not in players
    assert present in players
    assert len(players) == 4


@pytest.mark.parametrize("is_reported", [True, False], ids=["reported", "asked"])
async def test_people_who_left_the_chat_are_in_no_draw(bot: RunningBot, is_reported: bool) -> None:
    async def leaves(user: User) -> None:
        if is_reported:
            await bot.chat.loses(user)
        else:
            bot.chat.strangers.add(user.ref)

    await gathered(bot, FRIENDS[:7])
    await leaves(FRIENDS[6])
    await bot.chat.presses(ANNA, message_of(bot).ref, "Begin now")
    await bot.settle()
    players = {user for game in (await cup_of(bot)).current_games for user in game.players}
    assert players == {friend.ref for friend in FRIENDS[:6]}

    await leaves(FRIENDS[5])
    cup = await plays_round(bot)
    assert cup.round == ROUNDS
    players = {user for game in cup.current_games for user in game.players}
    assert players == {friend.ref for friend in FRIENDS[:5]}


async def test_a_round_ends_without_a_table_where_only_bots_play_on(bot: RunningBot) -> None:
    cup = await begun(bot, FRIENDS[:5])
    first, deserted = cup.current_games
    for user in deserted.players:
        leave = partial(Table.with_presence, user=user, has_left=True)
        await bot.app.tables.change(deserted.table_id, leave)

    await plays(bot, first.table_id)
    bot.app.scheduler.changed(deserted.table_id)
    await bot.skip(6 * CHECK_SECONDS)

    cup = await cup_of(bot)
    assert cup.round == ROUNDS
    assert [len(game.players) for game in cup.current_games] == [3]


async def test_the_next_round_does_not_wait_for_ever(bot: RunningBot) -> None:
    cup = await begun(bot, FRIENDS[:5])
    slow, other = cup.current_games
    await plays(bot, other.table_id)

    await bot.app.tables.change(slow.table_id, lambda now: now.pause(is_paused=True))
    await bot.skip(ROUND_SECONDS)

    stopped = await bot.app.tables.table(slow.table_id)
    assert (stopped.phase, stopped.stopped) == (Phase.CLOSED, Stop.TIME)
    await bot.skip(BREAK_SECONDS)
    assert (await cup_of(bot)).round == ROUNDS


async def test_too_few_people_make_no_cup(bot: RunningBot) -> None:
    await gathered(bot, FRIENDS[:3])
    await bot.skip(SIGN_UP_SECONDS)
    assert (await cup_of(bot)).phase is CupPhase.OFF
    assert lines(message_of(bot)) == [
        "🏆 No cup: Mon, January 12, 13:56 UTC",
        "A cup takes four people at least.",
    ]

    await bot.chat.types(ANNA, "/cup")
    assert await bot.app.part(Cups).in_room(ROOM) is not None


async def test_a_cup_whose_bot_was_away_for_too_long_is_called_off(bot: RunningBot) -> None:
    await gathered(bot, FRIENDS[:4])
    await bot.stop()
    bot.clock.skip(SIGN_UP_SECONDS + MAX_DELAY_SECONDS + 1.0)
    await bot.start()
    await bot.settle()
    assert (await cup_of(bot)).phase is CupPhase.OFF


async def test_a_cup_is_announced_for_a_time_on_the_clocks_of_the_server(bot: RunningBot) -> None:
    cup = await gathered(bot, FRIENDS[:4], "/cup 8:30pm")
    assert lines(message_of(bot))[0] == "🏆 Cup: Mon, January 12, 20:30 UTC"
    reply = await bot.chat.types(BORIS, "/cup")
    assert reply.ephemeral is not None
    await bot.skip(cup.starts_at - bot.clock.now())
    assert (await cup_of(bot)).phase is CupPhase.PLAYING


async def test_only_the_host_and_admins_begin_or_call_off(bot: RunningBot) -> None:
    await gathered(bot, FRIENDS[:4])
    for label in ("Begin now", "Call off"):
        reply = await bot.chat.presses(BORIS, message_of(bot).ref, label)
        assert reply.toast == "Only the host or a chat admin can do that."

    bot.chat.moderators.add(CLARA.ref)
    await bot.chat.presses(CLARA, message_of(bot).ref, "Call off")
    await bot.settle()

    assert (await cup_of(bot)).phase is CupPhase.OFF


def mentioned(bot: RunningBot) -> set[UserRef]:
    return {span.mention for message in bot.chat.room_sees() for span in message.screen.body if span.mention}


async def test_people_are_called_once_when_it_begins_and_not_at_night(bot: RunningBot) -> None:
    await bot.app.servers.choose(ROOM.server, quiet="0-7")
    await begun(bot, FRIENDS[:4])
    assert mentioned(bot) == {each.ref for each in FRIENDS[:4]}
    call = next(message for message in bot.chat.room_sees() if "the cup begins" in message.text)
    assert call.text == "🏆 Anna, Boris, Clara, Dima: the cup begins, these are the tables."


async def test_people_are_called_once_the_list_shows_their_tables(bot: RunningBot) -> None:
    bot.chat.budgets = Budgets(Budget(seconds=10.0, burst=3), Budget(seconds=0.0, burst=1))
    await gathered(bot, FRIENDS[:4])
    await bot.skip(1.0)
    await bot.chat.presses(ANNA, message_of(bot).ref, "Begin now")
    await bot.skip(60.0)
    shown = [text_of(sent.screen) for sent in bot.chat.sent if sent.screen is not None]
    called = next(number for number, text in enumerate(shown) if "the cup begins" in text)
    assert any("round 1 of 2" in text for text in shown[:called])


async def test_nobody_is_called_to_a_cup_at_night(bot: RunningBot) -> None:
    await bot.app.servers.choose(ROOM.server, quiet="13-15")
    await begun(bot, FRIENDS[:4])
    assert mentioned(bot) == set()
    assert (await cup_of(bot)).phase is CupPhase.PLAYING


async def test_a_pin_that_is_throttled_once_comes_a_little_later(bot: RunningBot) -> None:
    await bot.app.servers.choose(ROOM.server, pins="on")
    bot.chat.pin_troubles = [Throttled(5.0)]
    await gathered(bot, FRIENDS[:4])
    assert bot.chat.pinned == set()

    await bot.skip(6.0)
    assert bot.chat.pinned == {message_of(bot).ref}


async def test_a_room_that_refuses_a_change_shows_it_a_minute_later(bot: RunningBot) -> None:
    await bot.chat.types(ANNA, "/cup 23:00")
    await bot.settle()
    bot.chat.banned.add(ROOM)
    await bot.chat.presses(BORIS, message_of(bot).ref, "I’m in")
    await bot.settle()
    assert "Boris" not in message_of(bot).text

    bot.chat.banned.clear()
    await bot.skip(CHECK_SECONDS + 1)
    assert "Boris" in message_of(bot).text


async def test_the_standing_is_pinned_where_tables_are_and_unpinned_at_the_end(bot: RunningBot) -> None:
    await bot.app.servers.choose(ROOM.server, pins="on")
    await begun(bot, FRIENDS[:4])
    assert bot.chat.pinned == {message_of(bot).ref}
    for _ in range(FINAL):
        await plays_round(bot)

    assert bot.chat.pinned == set()


async def test_a_standing_that_was_deleted_is_posted_again(bot: RunningBot) -> None:
    await begun(bot, FRIENDS[:4])
    bot.chat.forget(message_of(bot).ref)
    await plays_round(bot)
    await bot.skip(CHECK_SECONDS)
    standing = [
        message for message in bot.chat.room_sees() if message.text.startswith("🏆 Cup, round 2 of 2\n▶️")
    ]
    assert len(standing) == 1


async def test_a_cup_is_for_groups_whose_admins_want_it(bot: RunningBot) -> None:
    reply = await bot.chat.types(ANNA, "/cup", own_room(ANNA))
    assert reply.toast == "A cup is for a group of four to sixteen: type /cup there."
    await bot.app.servers.choose(ROOM.server, cups="off")
    reply = await bot.chat.types(ANNA, "/cup")
    assert reply.toast == "Cups are off here; an admin can change that: /settings."


async def test_a_cup_needs_rules_for_two_to_four(bot: RunningBot) -> None:
    reply = await bot.chat.types(ANNA, "/cup teams=2x2")
    assert reply.toast == "A cup needs rules that two, three and four can play: /cup podkidnoy-36."


async def test_a_game_of_the_cup_has_no_rematch(bot: RunningBot) -> None:
    cup = await begun(bot, FRIENDS[:4])
    (game,) = cup.current_games
    await plays(bot, game.table_id)
    result = next(message for message in bot.chat.room_sees() if "My mistakes" in str(message.buttons))
    assert not any(button.label == "Play again" for button in result.buttons)
    reply = await bot.chat.presses_token(ANNA, result.ref, f"g:{game.table_id}:1:rematch")
    assert reply.toast == "That’s a game of the cup: its next round is drawn by itself."


async def test_who_is_forgotten_leaves_a_cup_without_a_name(bot: RunningBot) -> None:
    await begun(bot, FRIENDS[:5])
    await plays_round(bot)
    await bot.chat.types(BORIS, "/forgetme yes")
    await bot.settle()
    assert "Boris" not in message_of(bot).text

    cup = await cup_of(bot)
    assert BORIS.ref not in {each.user for each in cup.entrants}

    for _ in range(ROUNDS):
        cup = await plays_round(bot)

    assert cup.phase is CupPhase.OVER


async def test_a_cup_leaves_out_a_forgotten_name_after_a_kill_too(bot: RunningBot) -> None:
    await gathered(bot, FRIENDS[:4], "/cup 8:30pm")
    bot.chat.floods[ROOM] = 60.0
    await bot.chat.types(BORIS, "/forgetme yes")
    await bot.settle()
    assert "Boris" in message_of(bot).text

    await bot.restart()
    await bot.settle()
    assert "Boris" not in message_of(bot).text


async def test_a_table_dealt_below_a_cup_that_was_called_off_leaves_its_message_alone(
    bot: RunningBot,
) -> None:
    await gathered(bot, FRIENDS[:1])
    await bot.chat.presses(ANNA, message_of(bot).ref, "Call off")
    await bot.settle()
    called_off = message_of(bot)
    await bot.chat.presses(ANNA, called_off.ref, "🃏 Deal here")
    await bot.settle()
    assert bot.table_message().text.startswith("Durak")
    assert bot.chat.messages[called_off.ref] == called_off


async def test_a_button_of_another_chats_cup_does_nothing(bot: RunningBot) -> None:
    await gathered(bot, FRIENDS[:4])
    elsewhere = RoomRef(ServerRef("chat", "elsewhere"), "elsewhere")
    reply = await bot.chat.presses_token(ELENA, message_of(bot).ref, "f:1:join", seen_in=elsewhere)
    assert reply.toast == "That button belongs to another chat."
    assert ELENA.ref not in {each.user for each in (await cup_of(bot)).entrants}


async def test_a_second_change_of_mind_within_ten_seconds_is_held_back(bot: RunningBot) -> None:
    cup = await gathered(bot, FRIENDS[:4])
    eve = person("Eve")
    message = await bot.app.message_index.message(list_of(cup.id))
    assert message is not None

    said = [await bot.chat.presses(eve, message, label) for label in ("I’m in", "Not coming", "I’m in")]
    assert [reply.toast for reply in said] == [
        "You’re in the cup.",
        "You’re not in the cup any more.",
        "You’ve just changed your mind twice: wait ten seconds.",
    ]
    await bot.skip(CHANGES_SECONDS)
    assert (await bot.chat.presses(eve, message, "I’m in")).toast == "You’re in the cup."


async def test_a_cup_counts_its_last_hour_where_nobody_chose_a_time_zone(bot: RunningBot) -> None:
    await gathered(bot, FRIENDS[:4])
    assert lines(message_of(bot))[0] == "🏆 Cup: in 10\xa0min"
    assert "UTC" not in message_of(bot).text

    await bot.skip(3 * 60.0)
    assert lines(message_of(bot))[0] == "🏆 Cup: in 7\xa0min"


async def test_a_cup_that_is_hours_away_counts_its_last_hour_by_itself(bot: RunningBot) -> None:
    cup = await gathered(bot, FRIENDS[:4], "/cup 20:30")
    await bot.skip(cup.starts_at - bot.clock.now() - SOON_SECONDS)
    assert lines(message_of(bot))[0] == "🏆 Cup: in 60\xa0min"

    await bot.skip(30 * 60.0)
    assert lines(message_of(bot))[0] == "🏆 Cup: in 30\xa0min"


async def test_results_of_a_round_can_be_read_before_the_next_one(bot: RunningBot) -> None:
    cup = await begun(bot, FRIENDS[:4])
    for game in cup.current_games:
        await plays(bot, game.table_id)

    await bot.settle()
    assert (await cup_of(bot)).round == 1
    assert "The next round begins in half a minute." in message_of(bot).text

    await bot.skip(BREAK_SECONDS)
    assert (await cup_of(bot)).round == ROUNDS


async def test_whoever_leaves_the_chat_before_the_draw_is_off_the_list(bot: RunningBot) -> None:
    await gathered(bot, (ANNA, BORIS, CLARA))
    assert "Anna, Boris, Clara" in message_of(bot).text

    await bot.chat.loses(BORIS)
    await bot.chat.loses(DIMA)  # who never signed up
    await bot.settle()
    await bot.skip(60.0)
    assert "Anna, Clara" in message_of(bot).text
