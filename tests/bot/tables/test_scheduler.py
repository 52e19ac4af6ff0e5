"""What happens when nobody presses."""

from structlog.testing import capture_logs

from bot.model.table import Phase, Table
from bot.model.table_options import TableOptions
from engine import Done
from engine.runtime import Author
from tests.bot.chat import ROOM
from tests.bot.house import ANNA, BORIS, CLARA, House


async def authors(house: House, table: Table) -> list[Author | None]:
    return [entry.author for entry in (await house.session(table)).entries[1:]]


async def test_house_players_move_after_a_pause_of_one_to_three_paces(slow_house: House) -> None:
    house = slow_house
    table = await house.opened(ANNA)
    for label in ("Add house", "Add house", "Start"):
        await house.chat.presses(ANNA, house.table_message().ref, label)
    await house.settle()
    while (await house.waiting_seat(table)) == 0:
        await house.plays(table)
    await house.settle()
    version = (await house.session(table)).version
    await house.skip(0.9)
    assert (await house.session(table)).version == version
    await house.skip(2.1)
    assert (await house.session(table)).version == version + 1
    assert (await authors(house, table))[-1] is Author.HOUSE


async def test_a_table_of_house_players_and_one_who_is_gone_plays_to_its_end(house: House) -> None:
    table = await house.opened(ANNA, rules="podkidnoy-24 hand_size=8")
    for label in ("Add house", "Add house", "Start"):
        await house.chat.presses(ANNA, house.table_message().ref, label)
    await house.settle()
    for _ in range(3):
        await house.skip(120.0)
    session = await house.session(table)
    await house.until(lambda: session.outcome)
    assert Author.CLOCK in await authors(house, table)


async def test_done_is_said_for_who_can_do_nothing_else_and_for_nobody_else(house: House) -> None:
    table = await house.dealt(ANNA, BORIS, rules="podkidnoy-24")
    session = await house.session(table)
    while session.outcome is None:
        await house.plays(table)
        await house.settle()
    state = session.opening.deal() if session.opening else None
    assert state is not None
    assert Author.AUTO in await authors(house, table)
    for entry in session.entries[1:]:
        assert entry.seat is not None
        only_done = state.legal_moves(entry.seat) == (Done(),) and entry.seat in state.awaited
        assert (entry.author is Author.AUTO) == only_done
        state = state.apply(entry.seat, Done.parse(entry.text)).state


async def test_without_auto_done_everybody_says_it_themselves(house: House) -> None:
    table = await house.chooses(await house.dealt(ANNA, BORIS, rules="podkidnoy-24"), auto_done=False)
    await house.plays_to_the_end(table)
    assert set(await authors(house, table)) == {Author.PLAYER}


async def test_after_two_minutes_the_table_moves_for_who_is_absent(house: House) -> None:
    table = await house.dealt(ANNA, BORIS)
    await house.skip(119.0)
    assert await authors(house, table) == []
    await house.skip(1.0)
    assert await authors(house, table) == [Author.CLOCK]


async def test_the_table_moves_for_all_it_waits_for_at_once(house: House) -> None:
    """After a take everybody may throw in: nobody waits two minutes for each of them."""
    table = await house.chooses(await house.dealt(ANNA, BORIS, CLARA), auto_done=False)
    await house.plays(table)
    defender = await house.waiting_for(table)
    session = await house.session(table)
    await house.presses_move(table, defender, "T")
    await house.settle()
    assert session.state is not None
    waiting = session.state.awaited
    assert len(waiting) == 2
    await house.skip(120.0)
    late = [entry.seat for entry in session.entries if entry.author is Author.CLOCK]
    assert sorted(late, key=str) == sorted(waiting)


async def test_after_three_absences_a_house_player_stands_in_and_any_press_ends_that(house: House) -> None:
    table = await house.chooses(await house.dealt(ANNA, BORIS), auto_done=False)
    absent = await house.waiting_for(table)
    seat = table.seat_of(absent.ref)
    moved = 0
    while moved < 3:
        if await house.waiting_for(table) is absent:
            await house.skip(120.0)
            moved += 1
        else:
            await house.plays(table)
            await house.settle()
    while await house.waiting_seat(table) == seat:
        await house.settle()
    session = await house.session(table)
    assert house.bot.scheduler.stand_ins(table, session) == {seat}
    assert "away, a house player stands in" in house.table_message().text
    await house.plays(table)
    await house.settle()
    await house.chat.presses(absent, house.table_message().ref, "My hand")
    await house.settle()
    assert house.bot.scheduler.stand_ins(table, session) == frozenset()
    assert "away" not in house.table_message().text


async def test_a_table_in_a_room_without_the_bot_stands_still(house: House) -> None:
    table = await house.dealt(ANNA, BORIS)
    await house.skip(60.0)
    await house.bot.inbox.became_unreachable(ROOM)
    await house.skip(3600.0)
    assert await authors(house, table) == []
    await house.bot.inbox.became_reachable(ROOM)
    await house.settle()
    await house.skip(19.0)
    assert await authors(house, table) == []
    await house.skip(1.0)
    assert await authors(house, table) == [Author.CLOCK]


async def test_after_a_restart_everybody_has_some_time(house: House) -> None:
    table = await house.dealt(ANNA, BORIS)
    await house.stop()
    house.hours.skip(3600.0)
    await house.start()
    await house.settle()
    assert len(house.calls()) == 1
    await house.skip(19.0)
    assert await authors(house, table) == []
    await house.skip(1.0)
    assert await authors(house, table) == [Author.CLOCK]


async def test_without_a_clock_a_game_lasts_for_days(house: House) -> None:
    table = await house.chooses(await house.dealt(ANNA, BORIS), clock=0)
    for _ in range(5):
        await house.skip(86_400.0)
    assert await authors(house, table) == []
    await house.plays(table)
    assert await authors(house, table) == [Author.PLAYER]
    assert TableOptions().clock == 120


async def test_a_damaged_table_is_left_alone(house: House) -> None:
    table = await house.dealt(ANNA, BORIS)
    await house.damage(table)
    with capture_logs() as logs:
        await house.restart()
        await house.settle()
        frozen = house.table_message().text
        assert "damaged" in frozen
        for _ in range(5):
            await house.skip(60.0)
    assert house.table_message().text == frozen
    assert "deadline_failed" not in {line["event"] for line in logs}
    assert house.calls() == []


async def test_a_failing_disk_does_not_end_the_watch(house: House) -> None:
    table = await house.dealt(ANNA, BORIS)
    with capture_logs() as logs:
        async with house.without_disk():
            await house.skip(120.0)
        await house.skip(5.0)
    assert "deadline_failed" in {line["event"] for line in logs}
    assert await authors(house, table) == [Author.CLOCK]


async def test_a_table_whose_seats_are_all_taken_begins_by_itself_after_a_moment(house: House) -> None:
    table = await house.opened(ANNA, BORIS, rules="podkidnoy-36 max_players=2")
    assert "in a moment" in house.table_message().text
    await house.skip(9.0)
    assert (await house.bot.tables.table(table.id)).phase is Phase.LOBBY
    await house.skip(1.0)
    assert (await house.bot.tables.table(table.id)).phase is Phase.PLAYING
    await house.bot.tables.resign(table.id, ANNA)
    await house.bot.tables.rematch(table.id, ANNA)
    await house.skip(60.0)  # whoever wants a rematch presses Start: the shuffle needs it
    assert (await house.bot.tables.table(table.id)).phase is Phase.LOBBY


async def test_a_lobby_that_nobody_touches_closes_itself(house: House) -> None:
    table = await house.opened(ANNA)
    await house.skip(800.0)
    await house.chat.presses(BORIS, house.table_message().ref, "Join")
    await house.skip(800.0)
    assert (await house.bot.tables.table(table.id)).phase is Phase.LOBBY
    await house.restart()
    await house.skip(100.0)
    assert (await house.bot.tables.table(table.id)).phase is Phase.CLOSED
    assert "closed" in house.table_message().text
