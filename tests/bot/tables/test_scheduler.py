"""The scheduler's actions at tables without presses."""

import asyncio
from itertools import pairwise

import pytest
from structlog.testing import capture_logs

from adapters.port import User
from bot.model.choices import TableOptions
from bot.model.table import Phase, Table
from bot.model.waiting import PRESS_GRACE
from bot.tables.house_players import QUICK_SECONDS
from bot.tables.schedule import pause_after
from engine import Done, Move
from engine.runtime import Accepted, Author
from tests.bot.chat import ROOM
from tests.bot.idle import dues
from tests.bot.messages import text_of
from tests.bot.running_bot import ANNA, BORIS, CALL, CLARA, RunningBot


async def test_house_players_move_after_a_pause_of_one_to_three_paces(slow_bot: RunningBot) -> None:
    bot = slow_bot
    table = await bot.waits_for_house_player()
    version = (await bot.session(table)).version

    await bot.skip(0.9)
    assert (await bot.session(table)).version == version

    for _ in range(21):
        await bot.skip(0.1)
    assert (await bot.session(table)).version == version + 1
    assert (await bot.authors(table))[-1] is Author.HOUSE


@pytest.mark.parametrize("is_house", [True, False], ids=["house player", "stand-in"])
async def test_house_players_think_as_their_table_says_and_who_stands_in_does_not(
    bot: RunningBot, is_house: bool
) -> None:
    table = await bot.chooses(await bot.opened(ANNA, BORIS), strength="unheard of")
    if is_house:
        await bot.app.tables.change(table.id, lambda now: now.leave(BORIS.ref).add_house(ANNA.ref))

    await bot.app.tables.start(table.id, ANNA.ref)
    with capture_logs() as logs:
        if not is_house:
            await bot.app.tables.change(table.id, lambda now: now.with_presence(BORIS.ref, has_left=True))

        await bot.settle()
        while Author.HOUSE not in await bot.authors(table):
            await bot.plays(table)
            await bot.settle()

    assert {line["strength"] for line in logs if "strength" in line} == (
        {"unheard of"} if is_house else set()
    )


def test_pauses_lie_between_one_and_three_paces_and_differ_from_move_to_move() -> None:
    pauses = [pause_after(version) for version in range(1, 100)]
    assert 1.0 <= min(pauses) < 1.05
    assert 2.95 < max(pauses) <= 3.0
    assert all(abs(pause - another) > 0.5 for pause, another in pairwise(pauses))


async def left_alone(bot: RunningBot) -> Table:
    """Returns a table of a bot and two people who have been away for some minutes."""
    table = await bot.opened(ANNA, BORIS, rules="podkidnoy-24")
    for label in ("Add bot", "Start"):
        await bot.chat.presses(ANNA, bot.table_message().ref, label)

    await bot.settle()
    for _ in range(16):
        await bot.skip(120.0)

    return await bot.app.tables.table(table.id)


async def test_a_table_whose_people_are_all_away_rests_until_one_of_them_presses(bot: RunningBot) -> None:
    table = await left_alone(bot)
    session = await bot.session(table)
    assert "All players are away. Any button here goes on." in bot.table_message().text

    moves = len(session.entries)
    sent = len(bot.chat.sent)
    await bot.skip(3600.0)
    assert (len(session.entries), len(bot.chat.sent)) == (moves, sent)
    assert session.outcome is None

    await bot.chat.presses(BORIS, bot.table_message().ref, "My hand")
    await bot.settle()
    assert "away. Any button" not in bot.table_message().text

    for _ in range(6):
        await bot.skip(120.0)

    assert len(session.entries) > moves


async def test_a_table_that_rests_for_a_day_is_put_away_and_counts_for_nobody(bot: RunningBot) -> None:
    table = await left_alone(bot)
    await bot.skip(24 * 3600.0)
    assert (await bot.app.tables.table(table.id)).phase is Phase.CLOSED
    assert "Nobody came back for a day: the game has no result." in bot.table_message().text
    assert (await bot.session(table)).outcome is None


async def test_who_presses_in_time_makes_all_their_moves_themselves(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules="podkidnoy-24")
    await bot.plays_to_the_end(table)
    assert set(await bot.authors(table)) == {Author.PLAYER}


async def test_after_two_minutes_the_table_moves_for_who_is_absent(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    await bot.skip(119.0)
    assert await bot.authors(table) == []
    await bot.skip(1.0)
    assert await bot.authors(table) == [Author.CLOCK]


async def test_what_the_clock_plays_for_somebody_is_said_to_be_the_bots_doing(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules="podkidnoy-36")
    late = await bot.waiting_for(table)
    other = BORIS if late is ANNA else ANNA
    await bot.skip(120.0)
    assert bot.table_message().text.count("⏰ The bot played ") == 1
    assert f" for {late.name}." in bot.table_message().text
    assert " for you." in bot.hand_message(late).text

    await bot.skip(120.0)
    assert f"⏰ The bot took for {other.name}." in bot.table_message().text
    assert "⏰ The bot took for you." in bot.hand_message(other).text
    assert f"⏰ The bot took for {other.name}." in bot.hand_message(late).text


async def test_what_a_bot_plays_for_who_has_left_is_said_to_be_its_doing(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, CLARA, rules="podkidnoy-36")
    gone = await bot.waiting_for(table)
    await bot.app.tables.change(table.id, lambda now: now.with_presence(gone.ref, has_left=True))
    await bot.settle()
    assert "⏰ The bot played " in bot.table_message().text
    assert f" for {gone.name}." in bot.table_message().text


async def test_the_table_moves_for_all_it_waits_for_at_once(bot: RunningBot) -> None:
    """Covers throw-ins after a take: nobody waits two minutes for each of the others."""
    table = await bot.chooses(await bot.dealt(ANNA, BORIS, CLARA), throw_in_seconds=0)
    await bot.plays(table)
    defender = await bot.waiting_for(table)
    session = await bot.session(table)

    await bot.presses_move(table, defender, "T")
    await bot.settle()
    assert session.state is not None
    waiting = session.state.awaited
    assert len(waiting) == 2

    await bot.skip(120.0)
    late = [entry.seat for entry in session.entries if entry.author is Author.AUTO]
    assert sorted(late, key=str) == sorted(waiting)


@pytest.mark.parametrize("is_card", [False, True], ids=["a pass", "a card"])
async def test_a_card_that_is_quicker_than_the_clock_gives_everybody_their_time_anew_and_a_pass_does_not(
    bot: RunningBot, is_card: bool
) -> None:
    """Plays a take, with the clock running for both others, the first seat before the last."""
    cards: list[Move] = []
    while not cards:
        await bot.stopped(ANNA, BORIS, CLARA)
        table = await bot.chooses(await bot.dealt(ANNA, BORIS, CLARA), throw_in_seconds=0)
        await bot.plays(table)
        await bot.presses_move(table, await bot.waiting_for(table), "T")

        session = await bot.session(table)
        assert session.state is not None
        first, last = sorted(session.state.awaited)
        cards = [move for move in session.state.legal_moves(last) if move != Done()]

    await bot.skip(119.0)
    quick, move = (last, cards[0]) if is_card else (first, Done())
    press = asyncio.create_task(bot.app.tables.submit(table.id, quick, str(move), session.version))
    await asyncio.sleep(0)  # it is being written down
    bot.clock.skip(1.0)
    assert isinstance(await press, Accepted)
    await bot.skip(118.0)

    moved_for = [entry.seat for entry in session.entries if entry.author is Author.AUTO]
    # The clock may have been a little quicker than the card.
    assert moved_for in ([[], [first]] if is_card else [[last]])


async def test_after_three_absences_a_house_player_stands_in_and_any_press_ends_that(
    bot: RunningBot,
) -> None:
    table = await bot.chooses(await bot.dealt(ANNA, BORIS), throw_in_seconds=0)
    absent = await bot.waiting_for(table)
    seat = table.seat_of(absent.ref)

    while (await bot.authors(table)).count(Author.CLOCK) < 3:
        if await bot.waiting_for(table) is absent:
            await bot.skip(120.0)
        else:
            await bot.plays(table)
            await bot.settle()

    while await bot.waiting_seat(table) == seat:
        await bot.settle()

    session = await bot.session(table)
    assert (await bot.authors(table)).count(Author.CLOCK) == 3
    assert bot.app.scheduler.schedule(table, session.newest).away == {seat}
    assert "away, a bot stands in" in bot.table_message().text
    own_line = "🤖 You’re away, so a bot plays for you until you press something."
    assert own_line in bot.hand_message(absent).text

    while Author.HOUSE not in await bot.authors(table):
        await bot.plays(table)
        await bot.settle()

    assert bot.app.scheduler.schedule(table, session.newest).away == {seat}
    await bot.plays(table)
    await bot.settle()
    await bot.chat.presses(absent, bot.table_message().ref, "My hand")
    await bot.settle()

    assert bot.app.scheduler.schedule(table, session.newest).away == frozenset()
    assert "away" not in bot.table_message().text


async def test_a_table_in_a_room_without_the_bot_stands_still(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    await bot.skip(60.0)
    await bot.app.inbox.became_unreachable(ROOM)
    await bot.skip(3600.0)
    assert await bot.authors(table) == []

    await bot.app.inbox.became_reachable(ROOM)
    await bot.settle()
    await bot.skip(19.0)
    assert await bot.authors(table) == []

    await bot.skip(1.0)
    assert await bot.authors(table) == [Author.CLOCK]


async def test_after_a_restart_everybody_has_some_time(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    await bot.stop()
    bot.clock.skip(3600.0)
    await bot.start()
    await bot.settle()
    assert len(bot.calls()) == 1

    await bot.skip(19.0)
    assert await bot.authors(table) == []

    await bot.skip(1.0)
    assert await bot.authors(table) == [Author.CLOCK]


async def test_a_restart_takes_no_time_from_who_got_their_hand_late(bot: RunningBot) -> None:
    """Holds a hand up for fifteen seconds, and ends the process just after the call that names the time left.

    The call was posted since the table was noted as idle: the next process looks at it at once.
    """
    table = await bot.dealt(ANNA, BORIS)
    late = ANNA if await bot.waiting_for(table) is BORIS else BORIS
    gate = bot.chat.gates[late.ref] = asyncio.Event()
    await bot.plays(table)
    assert await bot.waiting_for(table) is late
    await bot.skip(15.0)
    gate.set()

    for _ in range(6):
        await bot.skip(10.0)
    assert [call.partition("! ")[2] for call in bot.calls()] == [
        "The bot moves for you in 60\N{NO-BREAK SPACE}s."
    ]

    calls = bot.calls()
    assert await dues(bot) == [0.0]
    await bot.restart()
    await bot.settle()
    assert bot.calls() == calls

    await bot.skip(59.0)
    assert Author.CLOCK not in await bot.authors(table)
    await bot.skip(1.0)
    assert (await bot.authors(table))[-1] is Author.CLOCK


async def test_without_a_clock_a_game_lasts_for_days(bot: RunningBot) -> None:
    table = await bot.chooses(await bot.dealt(ANNA, BORIS), clock=0)
    for _ in range(5):
        await bot.skip(86_400.0)

    assert await bot.authors(table) == []
    await bot.plays(table)
    assert await bot.authors(table) == [Author.PLAYER]
    assert TableOptions().clock == 120


async def test_a_damaged_table_is_left_alone(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    await bot.damage(table)
    with capture_logs() as logs:
        await bot.restart()
        await bot.settle()
        frozen = bot.table_message().text
        assert "damaged" in frozen
        for _ in range(5):
            await bot.skip(60.0)

    assert bot.table_message().text == frozen
    assert "deadline_failed" not in {line["event"] for line in logs}
    assert bot.calls() == []


async def test_a_failing_disk_does_not_end_the_watch(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    with capture_logs() as logs:
        async with bot.without_disk():
            await bot.skip(120.0)

        await bot.skip(4.0)
        assert await bot.authors(table) == []
        await bot.skip(1.0)

    assert "deadline_failed" in {line["event"] for line in logs}
    assert await bot.authors(table) == [Author.CLOCK]


def countdown(bot: RunningBot) -> str:
    """Returns the lobby's line about its start."""
    lines = bot.table_message().text.replace("\N{NO-BREAK SPACE}", " ").splitlines()
    return next((line for line in lines if "starts in" in line), "")


async def test_a_full_table_starts_by_itself_after_a_countdown_of_two_edits(bot: RunningBot) -> None:
    table = await bot.opened(ANNA, BORIS, rules="max_players=2")
    lobby = bot.table_message().ref
    shown = len(bot.chat.sent)
    assert "the game starts in 15 s" in countdown(bot)

    await bot.skip(10.0)
    assert "the game starts in 5 s" in countdown(bot)

    await bot.skip(4.0)
    assert [message.verb for message in bot.chat.sent[shown:]] == ["edit"]

    await bot.skip(1.0)
    assert bot.table_message().ref == lobby
    assert (await bot.app.tables.table(table.id)).phase is Phase.PLAYING

    await bot.app.tables.resign(table.id, ANNA)
    await bot.app.tables.rematch(table.id, ANNA)
    await bot.app.tables.rematch(table.id, BORIS)
    await bot.skip(60.0)  # friends may take their time between two games

    assert (await bot.app.tables.table(table.id)).phase is Phase.LOBBY


async def test_only_the_host_can_hold_the_countdown_and_then_the_table_waits_for_them(
    bot: RunningBot,
) -> None:
    table = await bot.opened(ANNA, BORIS, rules="max_players=2")
    reply = await bot.chat.presses(BORIS, bot.table_message().ref, "Hold")
    assert "Only" in str(reply.toast)

    await bot.taps(ANNA, "Hold")
    assert countdown(bot) == ""

    await bot.restart()
    await bot.skip(60.0)
    assert (await bot.app.tables.table(table.id)).phase is Phase.LOBBY

    await bot.taps(ANNA, "Start")
    started = await bot.app.tables.table(table.id)
    assert (started.phase, started.options.is_paused) == (Phase.PLAYING, False)


@pytest.mark.parametrize("is_held", [False, True])
async def test_who_leaves_ends_the_countdown_and_the_next_full_table_begins_another(
    bot: RunningBot, is_held: bool
) -> None:
    table = await bot.opened(ANNA, BORIS, rules="max_players=2")
    if is_held:
        await bot.taps(ANNA, "Hold")

    await bot.skip(10.0)
    await bot.taps(BORIS, "Leave")
    assert countdown(bot) == ""

    await bot.skip(60.0)
    assert (await bot.app.tables.table(table.id)).phase is Phase.LOBBY

    await bot.taps(CLARA, "Join")
    assert "the game starts in 15 s" in countdown(bot)

    await bot.skip(15.0)
    assert (await bot.app.tables.table(table.id)).phase is Phase.PLAYING


@pytest.mark.parametrize("away", [0.0, 3600.0])
async def test_a_countdown_goes_on_after_a_restart_and_is_seen(bot: RunningBot, away: float) -> None:
    table = await bot.opened(ANNA, BORIS, rules="max_players=2")
    await bot.skip(8.0)
    await bot.stop()
    bot.clock.step(away)
    await bot.start()
    await bot.skip(4.0)
    assert "the game starts in 5 s" in countdown(bot)

    await bot.skip(3.0)
    assert (await bot.app.tables.table(table.id)).phase is Phase.PLAYING


async def test_a_table_that_is_started_at_the_moment_at_which_it_begins_by_itself_begins_once(
    bot: RunningBot,
) -> None:
    table = await bot.opened(ANNA, BORIS, rules="podkidnoy-36 max_players=2")
    with capture_logs() as logs:
        press = asyncio.create_task(bot.app.tables.start(table.id, ANNA.ref))
        await asyncio.sleep(0)  # the deal is being written down
        bot.clock.skip(15.0)
        assert (await press).phase is Phase.PLAYING
        await bot.settle()

    assert [line["event"] for line in logs if line["log_level"] != "debug"] == []
    assert (await bot.session(table)).version == 1


async def test_a_lobby_that_nobody_touches_for_a_quarter_of_an_hour_closes_itself(bot: RunningBot) -> None:
    table = await bot.opened(ANNA)
    await bot.skip(800.0)
    await bot.chat.presses(BORIS, bot.table_message().ref, "Join")

    await bot.skip(899.0)
    assert (await bot.app.tables.table(table.id)).phase is Phase.LOBBY

    await bot.skip(1.0)
    assert (await bot.app.tables.table(table.id)).phase is Phase.CLOSED
    assert "closed" in bot.table_message().text


async def test_a_lobby_that_was_untouched_while_the_bot_was_away_stays_open_for_a_moment(
    bot: RunningBot,
) -> None:
    table = await bot.opened(ANNA)
    await bot.stop()
    bot.clock.skip(3600.0)
    await bot.start()

    await bot.skip(19.0)
    assert (await bot.app.tables.table(table.id)).phase is Phase.LOBBY

    await bot.skip(1.0)
    assert (await bot.app.tables.table(table.id)).phase is Phase.CLOSED


# --- who comes back has some time ---------------------------------------------------------------------------


async def _looks_at_cards(bot: RunningBot, table: Table, user: User) -> None:
    await bot.chat.presses_token(user, bot.table_message().ref, f"h:{table.id}")
    await bot.settle()


@pytest.mark.parametrize("is_thinking", [False, True], ids=["before", "while the stand-in thinks"])
async def test_who_comes_back_by_any_press_has_time_for_a_move(
    slow_bot: RunningBot, *, is_thinking: bool
) -> None:
    bot = slow_bot
    table = await bot.chooses(await bot.dealt(ANNA, BORIS, rules="podkidnoy-36"), clock=120)
    session = await bot.session(table)
    absent = await _plays_until_away(bot, table)

    table = await bot.app.tables.table(table.id)
    answers_at = session.changed_at + pause_after(session.seen_version)
    thinks_at = answers_at - QUICK_SECONDS
    await bot.skip((thinks_at + 0.1 if is_thinking else thinks_at - 0.1) - bot.clock.now())
    version = session.version
    await _looks_at_cards(bot, table, absent)

    await bot.skip(PRESS_GRACE)
    assert session.version == version


async def _plays_until_away(bot: RunningBot, table: Table) -> User:
    """Makes one of two absent until a bot has their seat and is to move; returns the absent one."""
    session = await bot.session(table)
    absent = await bot.waiting_for(table)
    seat = (ANNA, BORIS).index(absent)
    while True:
        table = await bot.app.tables.table(table.id)
        is_away = seat in bot.app.scheduler.schedule(table, session.newest).away
        awaited = await bot.waiting_seat(table)
        if is_away and awaited == seat:
            return absent
        if awaited == seat:
            await bot.skip(121.0)
        else:
            await bot.plays(table)
            await bot.settle()


async def test_a_press_in_the_last_seconds_gives_some_more_once(slow_bot: RunningBot) -> None:
    bot = slow_bot
    table = await bot.chooses(await bot.dealt(ANNA, BORIS, rules="podkidnoy-36"), clock=60)
    session = await bot.session(table)
    awaited = await bot.waiting_for(table)

    await bot.skip(58.0)
    await _looks_at_cards(bot, table, awaited)
    await bot.skip(PRESS_GRACE - 1.0)
    assert session.version == 1

    await _looks_at_cards(bot, table, awaited)
    await bot.skip(1.5)
    assert session.version == 2


async def test_a_press_in_the_last_seconds_calls_nobody_again(slow_bot: RunningBot) -> None:
    bot = slow_bot
    table = await bot.chooses(await bot.dealt(ANNA, BORIS, rules="podkidnoy-36"), clock=60)
    await bot.skip(58.0)
    (call,) = bot.calls()
    assert "The bot moves for you in 20" in call

    bot.chat.sent.clear()
    await _looks_at_cards(bot, table, await bot.waiting_for(table))
    await bot.settle()
    texts = [text_of(sent.screen) for sent in bot.chat.sent if sent.verb == "post" and sent.screen]
    assert not [text for text in texts if text.startswith(CALL)]
