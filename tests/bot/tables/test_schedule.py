"""The actions due at a table follow from the table, its game and the time, without a running bot."""

from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from bot.model.calendar import LocalTime
from bot.model.choices import TableOptions
from bot.model.table import Phase, Player, Table
from bot.model.waiting import CALL_AFTER, COUNTDOWN_SECONDS, GRACE, LAST_SECONDS, LONG_SECONDS
from bot.tables.house_players import QUICK_SECONDS
from bot.tables.schedule import (
    ASLEEP_SECONDS,
    MAX_ABSENCES,
    MAX_DELAY_SECONDS,
    PUT_AWAY_SECONDS,
    ROOM_RETRY_SECONDS,
    UNTOUCHED_SECONDS,
    Due,
    EnterPhase,
    MoveFor,
    Redraw,
    ReleaseSeats,
    Schedule,
    Times,
    pause_after,
)
from engine import Opening, Rules, Seat, parse_action
from engine.runtime import Author, Entry, Game
from tests.bot.chat import ROOM
from tests.bot.running_bot import ANNA, BORIS, CLARA

BEGAN = 1_000_000.0  # when the bot started
DEALT = BEGAN + 1_000.0
LOCAL = LocalTime(ZoneInfo("UTC"), None)
PACE = 1.0

PEOPLE = tuple(Player(user.name, user.ref) for user in (ANNA, BORIS))
HOUSE = Player("Bot", None)
OPENING = Opening(Rules(), 2, "5eed")


def table_of(*players: Player, phase: Phase = Phase.PLAYING, clock: int = 120) -> Table:
    options = TableOptions(clock=clock)
    rules = OPENING.rules
    return Table(
        1, ROOM, ANNA.ref, "podkidnoy-36", rules, "5eed", BEGAN, players, phase=phase, options=options
    )


def dealt() -> Game:
    entry = Entry(1, 1, 1, None, OPENING.to_text(), None, DEALT)
    return Game(OPENING, (entry,), OPENING.deal())


def moved(game: Game, author: Author, at: float) -> Game:
    """Plays the first legal move of the first awaited seat."""
    seat = min(game.state.awaited)
    text = str(game.state.legal_moves(seat)[0])
    entry = Entry(1, game.entries[-1].version + 1, 1, seat, text, author, at)
    return game.after((entry, parse_action(text)))


def in_game(table: Table, game: Game, waited: float = 0.0, **times: object) -> Schedule:
    """Returns the schedule of a game whose newest move was made `waited` seconds ago."""
    changed_at = game.newest_seen.at
    newest = Times(changed_at + waited, changed_at, counted_from=BEGAN, drawn_at=BEGAN)
    return Schedule(table, game, replace(newest, **times))  # type: ignore[arg-type] # by name


def gathers(table: Table, waited: float = 0.0, **times: object) -> Schedule:
    """Returns the schedule of a lobby that somebody changed `waited` seconds ago."""
    newest = Times(DEALT + waited, DEALT, counted_from=BEGAN, drawn_at=BEGAN)
    return Schedule(table, None, replace(newest, **times))  # type: ignore[arg-type] # by name


def next_of(schedule: Schedule) -> Due | None:
    return schedule.next(LOCAL, PACE)


def attacker_of(game: Game) -> Seat:
    (seat,) = game.state.awaited
    return seat


# --- a running game -----------------------------------------------------------------------------------------


def test_an_awaited_person_is_called_twice_and_then_moved_for() -> None:
    table = table_of(*PEOPLE)
    game = dealt()

    expected: list[Due] = [
        Redraw(DEALT + CALL_AFTER),
        Redraw(DEALT + LONG_SECONDS),
        Redraw(DEALT + 105.0),  # the last seconds are counted in their hand
        MoveFor(DEALT + 120.0, Author.CLOCK, (attacker_of(game),)),
    ]
    drawn_at = DEALT
    for due in expected:
        assert next_of(in_game(table, game, drawn_at=drawn_at)) == due
        drawn_at = due.at


def test_a_wait_counts_from_when_the_last_awaited_person_saw_the_move() -> None:
    game = dealt()
    late = PEOPLE[attacker_of(game)].user
    assert late is not None
    seen_at = {late: DEALT + 15.0}
    schedule = in_game(table_of(*PEOPLE), game, seen_at=seen_at)
    assert schedule.waits_since == DEALT + 15.0
    assert next_of(schedule) == Redraw(DEALT + 15.0 + CALL_AFTER)


def test_the_clock_leaves_people_some_time_after_the_bot_came_back() -> None:
    game = dealt()
    back = DEALT + 3_600.0
    counted = back + GRACE - 1.0  # the last seconds were drawn
    schedule = in_game(table_of(*PEOPLE), game, 3_600.0, counted_from=back, drawn_at=counted)
    assert next_of(schedule) == MoveFor(back + GRACE, Author.CLOCK, (attacker_of(game),))


def test_a_paused_game_and_one_without_a_deal_have_nothing_due() -> None:
    table = table_of(*PEOPLE)
    paused = replace(table, options=replace(table.options, is_paused=True))
    assert next_of(in_game(paused, dealt())) is None
    assert next_of(gathers(table)) is None


def test_a_house_player_moves_after_its_pause_and_is_never_called() -> None:
    game = dealt()
    players = [*PEOPLE]
    players[attacker_of(game)] = HOUSE
    schedule = in_game(table_of(*players), game)

    assert schedule.awaited_people == frozenset()
    assert schedule.waiting(LOCAL) is None
    thinking_at = DEALT + pause_after(1) - QUICK_SECONDS
    assert next_of(schedule) == MoveFor(thinking_at, Author.HOUSE, (attacker_of(game),), QUICK_SECONDS)


@pytest.mark.parametrize("clock", [120, 0])
def test_a_house_player_stands_in_after_some_absences_where_there_is_a_clock(clock: int) -> None:
    game = dealt()
    while all(game.absences(seat) < MAX_ABSENCES for seat in (0, 1)):
        game = moved(game, Author.CLOCK, DEALT)

    (absent,) = [seat for seat in (0, 1) if game.absences(seat) >= MAX_ABSENCES]
    table = table_of(*PEOPLE, clock=clock)
    assert in_game(table, game).away == ({absent} if clock else frozenset())

    version = game.entries[-1].version
    assert in_game(table, game, back_at={absent: version}).away == frozenset()


def test_a_table_whose_people_have_all_left_rests_and_is_put_away_after_a_day() -> None:
    gone = [replace(player, has_left=True) for player in PEOPLE]
    table = table_of(*gone)
    game = dealt()
    asleep_at = DEALT + ASLEEP_SECONDS

    awake = in_game(table, game, ASLEEP_SECONDS - 1.0)
    assert not awake.is_asleep
    assert isinstance(next_of(awake), MoveFor)

    resting = in_game(table, game, ASLEEP_SECONDS)
    assert resting.is_asleep
    assert next_of(resting) == EnterPhase(asleep_at + PUT_AWAY_SECONDS, Phase.CLOSED)


# --- before the deal ----------------------------------------------------------------------------------------


def test_a_lobby_that_nobody_touches_is_closed() -> None:
    lobby = table_of(PEOPLE[0], phase=Phase.LOBBY)
    assert next_of(gathers(lobby)) == EnterPhase(DEALT + UNTOUCHED_SECONDS, Phase.CLOSED)


def test_a_full_lobby_is_drawn_once_more_before_it_starts() -> None:
    lobby = table_of(*PEOPLE, phase=Phase.LOBBY)
    full = replace(lobby, rules=replace(lobby.rules, max_players=2))
    ends_at = DEALT + COUNTDOWN_SECONDS

    assert next_of(gathers(full)) == Redraw(ends_at - LAST_SECONDS)
    drawn = gathers(full, drawn_at=ends_at - LAST_SECONDS)
    assert next_of(drawn) == EnterPhase(ends_at, Phase.PLAYING)

    back_at = DEALT + 3_600.0
    resumed = gathers(full, counted_from=back_at, drawn_at=back_at)
    assert next_of(resumed) == EnterPhase(back_at + LAST_SECONDS, Phase.PLAYING)


def test_kept_seats_count_their_minutes_down_and_are_free_then() -> None:
    until = DEALT + 60.0 + 30.0
    invited = Player(CLARA.name, CLARA.ref, kept_until=until, invited_by=ANNA.ref)
    lobby = replace(table_of(PEOPLE[0], phase=Phase.LOBBY), kept=(invited,))

    schedule = gathers(lobby, drawn_at=DEALT)
    assert schedule.minutes_kept == 2
    assert next_of(schedule) == Redraw(until - 60.0)
    assert next_of(gathers(lobby, drawn_at=until - 60.0)) == ReleaseSeats(until)


def test_an_announced_table_opens_in_time_and_waits_for_its_room_for_a_while() -> None:
    starts_at = DEALT + 600.0
    announced = replace(table_of(PEOPLE[0], phase=Phase.ANNOUNCED), game=0, starts_at=starts_at)

    assert next_of(gathers(announced)) == EnterPhase(starts_at, Phase.LOBBY)
    assert next_of(gathers(announced, drawn_at=starts_at)) == EnterPhase(
        starts_at + ROOM_RETRY_SECONDS, Phase.LOBBY
    )

    late = gathers(announced, 600.0 + MAX_DELAY_SECONDS + 1.0)
    assert next_of(late) == EnterPhase(late.times.now, Phase.CLOSED)


@pytest.mark.parametrize("phase", [Phase.OVER, Phase.CLOSED])
def test_a_table_that_is_over_has_nothing_due(phase: Phase) -> None:
    assert next_of(gathers(table_of(*PEOPLE, phase=phase))) is None
