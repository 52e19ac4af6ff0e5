"""The week, summed up on Sunday evening where a server has it on, and the hall of fame."""

from dataclasses import replace
from datetime import datetime

import pytest

from adapters.port import Budget, CallLimiter, Everyone, RoomRef, ServerRef, User, UserRef
from bot.features.puzzles.store import PuzzleStore
from bot.features.real_cards.model import CardGame
from bot.features.real_cards.part import RealCards
from bot.model.calendar import Appointment
from bot.storage import CalendarStore
from engine import TakenUp
from tests.bot.chat import PLATFORM, ROOM
from tests.bot.features.puzzles.test_puzzles import puzzle
from tests.bot.messages import text_of
from tests.bot.running_bot import ANNA, BORIS, CLARA, SHORT_GAME, RunningBot

HOUR = 60 * 60.0
MONDAY = 0
WITH_CHEATING = "podkidnoy-36 cheating=on"

# The steps in which time passes; after the shorter one, all retries are done.
MIN_STRIDE = HOUR / 2
MAX_STRIDE = 6 * HOUR


async def loses(bot: RunningBot, loser: User, *others: User, rules: str = "") -> None:
    table = await bot.dealt(loser, *others, rules=rules)
    await bot.app.tables.resign(table.id, loser)
    await bot.settle()
    await bot.skip(60)


async def loses_often(bot: RunningBot, loser: User, other: User, *, games: int = 3, rules: str = "") -> None:
    for _ in range(games):
        await loses(bot, loser, other, rules=rules)


async def switch_on(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await bot.chat.types(ANNA, "/settings week on")


async def boris_loses_on_tuesday(bot: RunningBot, games: int = 3) -> None:
    """Plays a game in which Boris loses to Clara, in the room of the weekly report."""
    await switch_on(bot)
    await bot.skip(12 * HOUR)
    await loses_often(bot, BORIS, CLARA, games=games)


async def reach(bot: RunningBot, weekday: int, hour: int) -> None:
    """Skips time until the room's clocks show this hour of a weekday.

    It stops whenever something is due, and a few times a day for everything else.
    """
    local = (await bot.app.servers.choices(ROOM.server)).local_time
    at = local.weekly(bot.clock.now(), weekday, hour)
    while (left := at - bot.clock.now()) > 0:
        first = await CalendarStore(bot.database).first(1)
        until_due = first[0].at - bot.clock.now() if first else MAX_STRIDE
        stride = max(MIN_STRIDE, min(until_due, MAX_STRIDE))
        await bot.skip(min(left, stride))


async def sunday_evening(bot: RunningBot) -> None:
    """Skips time until Monday."""
    await reach(bot, MONDAY, 0)


def reports(bot: RunningBot) -> list[str]:
    return [message.text for message in bot.chat.room_sees() if message.text.startswith("🗓")]


async def test_the_week_is_told_once_on_sunday_evening(bot: RunningBot) -> None:
    await boris_loses_on_tuesday(bot)
    await loses(bot, CLARA, BORIS)
    await bot.restart()
    assert reports(bot) == []

    await sunday_evening(bot)
    (week,) = reports(bot)
    assert "The week until" in week
    assert "· 4 games" in week
    assert "Fool of the week: Boris (3 of 4 games)" in week
    assert "The fool least often: Clara (1 of 4 games)" in week
    assert "Boris finally escaped, after 3 losses in a row" in week
    assert "rivalry: in 4 games together, Boris was the fool 3 times, Clara 1 time" in week

    await bot.restart()
    await bot.skip(3 * HOUR)
    assert len(reports(bot)) == 1


@pytest.mark.parametrize("games", [0, 2])
async def test_a_week_of_fewer_than_three_games_is_not_worth_a_word(bot: RunningBot, games: int) -> None:
    await boris_loses_on_tuesday(bot, games)
    await sunday_evening(bot)
    assert reports(bot) == []


async def test_nothing_is_told_where_nobody_asked(bot: RunningBot) -> None:
    await bot.skip(12 * HOUR)
    await loses_often(bot, BORIS, CLARA)
    await sunday_evening(bot)
    assert reports(bot) == []


async def test_a_room_that_floods_gets_it_later(bot: RunningBot) -> None:
    await boris_loses_on_tuesday(bot)
    bot.chat.floods[ROOM] = 600.0
    await sunday_evening(bot)
    assert len(reports(bot)) == 1


async def test_who_switched_it_on_hears_once_that_the_room_takes_nothing(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await PuzzleStore(bot.database).add([puzzle()], 0.0)
    await bot.chat.types(ANNA, "/settings puzzle on")

    async def comes(*, is_banned: bool) -> int:
        """Makes a puzzle due; returns the number of Anna's notices of its refused post."""
        (bot.chat.banned.add if is_banned else bot.chat.banned.discard)(ROOM)
        await bot.restart()
        await bot.app.calendar.put(Appointment(ROOM.server, "puzzle", bot.clock.now(), room=ROOM))
        await bot.skip(1)
        return sum("I can’t write in that chat" in text for text in bot.chat.rang_for(ANNA))

    assert [await comes(is_banned=True) for _ in range(2)] == [1, 1]
    shown = (await bot.chat.types(ANNA, "/settings around")).ephemeral
    assert shown is not None
    assert "I can’t write in that chat" in text_of(shown)
    assert await comes(is_banned=False) == 1
    assert bot.chat.room_sees()[-1].text.startswith("🧩 Puzzle of the day")
    assert await comes(is_banned=True) == 2


async def test_a_hundred_rooms_at_once_stay_within_the_budget_of_the_bot(bot: RunningBot) -> None:
    bot.chat.calls = CallLimiter(Budget(seconds=0.1, burst=5))
    await PuzzleStore(bot.database).add([puzzle()], 0.0)
    rooms = [RoomRef(ServerRef(PLATFORM, f"club-{number}"), "parlour") for number in range(100)]
    due = [Appointment(room.server, "puzzle", bot.clock.now(), room=room) for room in rooms]

    await CalendarStore(bot.database).put(due)
    posted = list[int]()
    while sum(posted) < len(rooms):
        before = len(bot.chat.sent)
        await bot.skip(0.5)
        posted.append(len(bot.chat.sent) - before)

    assert max(posted) <= 10  # the unused budget, and what was added since then
    assert max(posted[1:]) <= 5
    assert {message.audience for message in bot.chat.messages.values()} == {Everyone(room) for room in rooms}


async def test_the_week_forgets_who_wants_to_be_forgotten(bot: RunningBot) -> None:
    await boris_loses_on_tuesday(bot)
    await bot.chat.types(BORIS, "/forgetme yes")
    await sunday_evening(bot)
    (week,) = reports(bot)
    assert "Boris" not in week


async def test_the_hall_of_fame_has_a_fool_and_a_champion_for_each_season(bot: RunningBot) -> None:
    await loses_often(bot, BORIS, CLARA, games=2)
    await bot.skip(100 * 24 * HOUR)
    await loses_often(bot, CLARA, BORIS, games=2)

    shown = await bot.chat.types(ANNA, "/fool seasons")
    assert shown.public is not None
    text = bot.chat.room_sees()[-1].text
    assert text.startswith("🏛 Hall of fame")

    fools = [text.index(f"Fool of the season: {name} (2 of 2 games)") for name in ("Clara", "Boris")]
    assert fools == sorted(fools)


async def test_who_was_the_fool_equally_often_shares_the_season(bot: RunningBot) -> None:
    await loses(bot, BORIS, ANNA, CLARA)
    await loses(bot, CLARA, ANNA, BORIS)
    await bot.chat.types(ANNA, "/fool seasons")
    text = bot.chat.room_sees()[-1].text
    assert "Fools of the season: Boris and Clara (1 of 2 games each)" in text
    assert "Champion: Anna, the fool in 0 of 2 games" in text


async def test_who_fared_equally_well_shares_the_season(bot: RunningBot) -> None:
    await loses(bot, BORIS, ANNA, CLARA)
    await bot.chat.types(ANNA, "/fool seasons")
    text = bot.chat.room_sees()[-1].text
    assert "Fool of the season: Boris (1 of 1 game)" in text
    assert "Champions: Anna and Clara, the fool in 0 of 1 game each" in text


async def test_a_season_in_which_all_fared_alike_has_no_champion(bot: RunningBot) -> None:
    await loses(bot, BORIS, CLARA)
    await loses(bot, CLARA, BORIS)
    await bot.chat.types(ANNA, "/fool seasons")
    text = bot.chat.room_sees()[-1].text
    assert "Fools of the season: Boris and Clara (1 of 2 games each)" in text
    assert "Champion" not in text


async def test_who_was_the_fool_equally_often_shares_the_week(bot: RunningBot) -> None:
    await boris_loses_on_tuesday(bot, 2)
    await loses_often(bot, CLARA, BORIS, games=2)
    await sunday_evening(bot)
    (week,) = reports(bot)
    assert "Fools of the week: Boris and Clara (2 of 4 games each)" in week
    assert "least often" not in week


async def test_an_empty_hall_of_fame_says_so(bot: RunningBot) -> None:
    shown = await bot.chat.types(ANNA, "/fool seasons")
    assert shown.public is not None
    assert "No game counts yet" in bot.chat.room_sees()[-1].text


async def test_the_biggest_take_is_found_in_the_records(bot: RunningBot) -> None:
    await switch_on(bot)
    await bot.skip(12 * HOUR)
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    while (state := (await bot.session(table)).state) is not None and state.outcome() is None:
        moves = state.legal_moves(await bot.waiting_seat(table))
        move = next((move for move in moves if str(move) == "T"), moves[0])
        await bot.presses_move(table, await bot.waiting_for(table), str(move))

    taken = [event for event in (await bot.session(table)).events if isinstance(event, TakenUp)]

    await bot.skip(60)
    await loses_often(bot, BORIS, CLARA)
    await sunday_evening(bot)
    (week,) = reports(bot)

    biggest = max(taken, key=lambda event: len(event.cards))
    name = (ANNA, BORIS)[biggest.defender].name
    assert f"Biggest take: {name}, {len(biggest.cards)} card" in week


async def with_cards(bot: RunningBot, *fools: User) -> None:
    """Enters games of Boris and Clara with real cards, an hour apart, the newest just now."""
    now = bot.clock.now()
    games = [
        CardGame(now - HOUR * (len(fools) - number), fool, (BORIS, CLARA))
        for number, fool in enumerate(fools)
    ]
    number = await bot.app.part(RealCards).store.enter(ROOM, ANNA, games, now, is_file=True)
    await bot.app.part(RealCards).store.count(number)


async def test_games_with_real_cards_are_in_the_week_where_they_count_together(bot: RunningBot) -> None:
    await switch_on(bot)
    await bot.skip(12 * HOUR)
    await loses(bot, BORIS, CLARA)
    await bot.skip(HOUR * 5)
    await with_cards(bot, BORIS, CLARA)
    await sunday_evening(bot)

    (week,) = reports(bot)
    assert "· 3 games" in week
    assert "Fool of the week: Boris (2 of 3 games)" in week
    assert "Boris finally escaped, after 2 losses in a row" in week


async def test_games_with_real_cards_that_count_apart_are_in_no_week(bot: RunningBot) -> None:
    await switch_on(bot)
    await bot.chat.types(ANNA, "/settings cards apart")
    await bot.skip(12 * HOUR)
    await loses_often(bot, CLARA, BORIS)
    await bot.skip(HOUR * 10)
    await with_cards(bot, *[BORIS] * 8)
    await sunday_evening(bot)

    (week,) = reports(bot)
    assert "· 3 games" in week
    assert "Fool of the week: Clara (3 of 3 games)" in week


async def test_games_with_cheating_that_count_apart_are_in_no_week_and_no_season(bot: RunningBot) -> None:
    await switch_on(bot)
    await bot.skip(12 * HOUR)
    await loses_often(bot, CLARA, BORIS)
    await loses_often(bot, BORIS, CLARA, games=4, rules=WITH_CHEATING)
    await bot.chat.types(ANNA, "/fool seasons")
    assert "Fool of the season: Boris (4 of 7 games)" in bot.chat.room_sees()[-1].text

    await bot.chat.types(ANNA, "/settings cheats apart")
    await bot.chat.types(ANNA, "/fool seasons")
    assert "Fool of the season: Clara (3 of 3 games)" in bot.chat.room_sees()[-1].text

    await sunday_evening(bot)
    (week,) = reports(bot)
    assert "· 3 games" in week
    assert "Fool of the week: Clara (3 of 3 games)" in week


async def test_a_season_of_real_cards_alone_is_in_the_hall_of_fame(bot: RunningBot) -> None:
    await bot.skip(24 * HOUR)
    await with_cards(bot, BORIS, BORIS, CLARA)
    await bot.chat.types(ANNA, "/fool seasons")
    assert "Fool of the season: Boris (2 of 3 games)" in bot.chat.room_sees()[-1].text

    bot.chat.moderators.add(ANNA.ref)
    await bot.chat.types(ANNA, "/settings cards apart")
    await bot.chat.types(ANNA, "/fool seasons")
    assert "Boris" not in bot.chat.room_sees()[-1].text


async def test_games_of_sunday_evening_are_in_the_week_that_ends_with_it(bot: RunningBot) -> None:
    await switch_on(bot)
    await reach(bot, 6, 20)
    await loses_often(bot, BORIS, CLARA)
    await reach(bot, 0, 1)
    (week,) = reports(bot)
    assert "· 3 games" in week


async def test_a_report_waits_for_the_game_that_is_running(bot: RunningBot) -> None:
    await switch_on(bot)
    await reach(bot, 6, 20)
    await loses_often(bot, BORIS, CLARA, games=2)
    await reach(bot, 6, 21)
    table = await bot.dealt(BORIS, CLARA)
    await bot.skip(20 * 60)
    assert reports(bot) == []

    await bot.app.tables.resign(table.id, BORIS)
    await bot.settle()
    await bot.skip(15 * 60)

    (week,) = reports(bot)
    assert "· 3 games" in week


async def test_no_game_falls_between_two_weeks(bot: RunningBot) -> None:
    await boris_loses_on_tuesday(bot)
    await reach(bot, 6, 23)  # the report is out, and the evening continues
    await loses_often(bot, CLARA, BORIS, games=4)
    await reach(bot, 0, 1)
    await reach(bot, 0, 1)

    first, second = reports(bot)
    assert "· 3 games" in first
    assert "· 4 games" in second


async def test_a_report_that_the_night_delays_keeps_its_date_and_its_games(bot: RunningBot) -> None:
    await switch_on(bot)
    await bot.chat.types(ANNA, "/settings quiet 20-9")
    await bot.skip(12 * HOUR)
    await loses_often(bot, BORIS, CLARA)
    await reach(bot, 0, 1)
    assert reports(bot) == []

    sunday = (await bot.app.servers.choices(ROOM.server)).local_time.at(bot.clock.now() - 2 * HOUR)
    await loses(bot, CLARA, BORIS)  # it is Monday
    await reach(bot, 0, 10)

    (week,) = reports(bot)
    assert f"The week until {sunday:%B} {sunday.day} · 3 games" in week


async def test_a_week_too_quiet_for_a_report_is_in_the_next_one(bot: RunningBot) -> None:
    await switch_on(bot)
    began = (await bot.app.servers.choices(ROOM.server)).local_time.at(bot.clock.now())
    for week in range(3):
        await bot.skip(12 * HOUR)
        await loses(bot, BORIS, CLARA)
        assert reports(bot) == [], week
        await reach(bot, 0, 1)

    (report,) = reports(bot)
    sunday = (await bot.app.servers.choices(ROOM.server)).local_time.at(bot.clock.now() - 2 * HOUR)
    assert report.startswith(
        f"🗓 {began:%B} {began.day}\N{NO-BREAK SPACE}– {sunday:%B} {sunday.day} · 3 games"
    )


async def test_games_from_before_the_report_was_switched_on_again_are_in_none(bot: RunningBot) -> None:
    await switch_on(bot)
    await bot.skip(12 * HOUR)
    await bot.chat.types(ANNA, "/settings week off")

    await loses_often(bot, BORIS, CLARA, games=4)
    await reach(bot, 2, 12)
    await reach(bot, 2, 12)

    await bot.chat.types(ANNA, "/settings week on")
    await loses_often(bot, CLARA, BORIS)
    await reach(bot, 0, 1)

    (report,) = reports(bot)
    assert "The week until" in report
    assert "· 3 games" in report


async def test_switching_it_on_twice_counts_no_game_twice(bot: RunningBot) -> None:
    await boris_loses_on_tuesday(bot)
    await reach(bot, 6, 22)
    for value in ("on", "off", "on"):
        await bot.chat.types(ANNA, f"/settings week {value}")

    await loses_often(bot, CLARA, BORIS)
    await reach(bot, 0, 1)
    await reach(bot, 0, 1)

    assert ["Boris" in report.splitlines()[2] for report in reports(bot)] == [True, False]


async def test_a_report_that_an_outage_delays_keeps_its_date_and_its_games(bot: RunningBot) -> None:
    await boris_loses_on_tuesday(bot)
    await reach(bot, 6, 20)
    sunday = (await bot.app.servers.choices(ROOM.server)).local_time.at(bot.clock.now())
    await bot.stop()
    bot.clock.step(36 * HOUR)
    await bot.start()
    await bot.skip(60)

    (report,) = reports(bot)
    assert f"The week until {sunday:%B} {sunday.day} · 3" in report
    assert "rivalry: in 3 games together, Boris was the fool 3 times, Clara 0 times" in report


@pytest.mark.parametrize("sunday", ["2027-03-28", "2027-10-31"])
async def test_a_report_comes_on_the_day_on_which_the_clocks_change(bot: RunningBot, sunday: str) -> None:
    await switch_on(bot)
    await bot.chat.types(ANNA, "/settings timezone Europe/Vilnius")
    zone = (await bot.app.servers.choices(ROOM.server)).local_time.zone
    evening = datetime.fromisoformat(f"{sunday} 20:00").replace(tzinfo=zone).timestamp()

    bot.clock.step(evening - bot.clock.now())
    await bot.restart()
    await loses_often(bot, BORIS, CLARA)
    await reach(bot, 6, 22)

    (report,) = reports(bot)
    assert "· 3 games" in report


async def test_what_is_posted_by_itself_is_in_the_language_of_the_tables(bot: RunningBot) -> None:
    assert (await bot.app.people.translator_on(ROOM.server)).locale == "en"
    await bot.chat.types(replace(BORIS, locale="ru"), "/durak")
    assert (await bot.app.people.translator_on(ROOM.server)).locale == "ru"


async def test_posts_are_in_the_language_of_who_switched_them_on_where_there_is_no_table(
    bot: RunningBot,
) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await bot.chat.types(replace(ANNA, locale="de"), "/settings week on")
    assert (await bot.app.people.translator_on(ROOM.server)).locale == "de"


async def test_what_nobody_of_a_known_language_asks_for_is_in_that_of_most_people_there(
    bot: RunningBot,
) -> None:
    table = await bot.dealt(BORIS, CLARA, ANNA)
    await bot.app.tables.resign(table.id, BORIS)
    await bot.settle()

    for person, locale in ((BORIS, "ru"), (CLARA, "ru-RU"), (ANNA, "lt")):
        await bot.chat.types(replace(person, locale=locale), "/fool")

    stranger = User(UserRef(PLATFORM, "id-group"), "Club", is_person=False)
    assert (await bot.app.people.translator_in(ROOM.server, stranger)).locale == "ru"
    assert (await bot.app.people.translator_in(ROOM.server, replace(stranger, locale="fr"))).locale == "ru"
