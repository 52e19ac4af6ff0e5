"""The end of a game stores one row for each seat, with its player at that time."""

from sqlmodel import col, select

from bot.model.table import Phase
from bot.storage import Database, SqlJournal
from bot.storage.models import PlayerRow, ResultRow
from engine import Outcome
from engine.runtime import Author, Entry
from tests.bot.storage.samples import ANNA, BORIS, CLARA, OPENING, SEED, playing, saved
from tests.engine.rules.games import changed


async def end(database: Database, table_id: int, game: int, outcome: Outcome) -> None:
    entry = Entry(table_id, game, game, None, OPENING.to_text(), None, at=100.0)
    await SqlJournal(database).append(entry, snapshot="", outcome=outcome)


async def results(database: Database, game: int = 1) -> list[tuple[ResultRow, str | None]]:
    query = (
        select(ResultRow, PlayerRow)
        .join(PlayerRow, isouter=True)
        .where(ResultRow.game == game)
        .order_by(col(ResultRow.seat))
    )
    rows = await database.read(lambda session: session.exec(query).all())
    return [(result, None if player is None else player.ref) for result, player in rows]


async def test_a_result_says_who_sat_there_and_how_it_went(database: Database) -> None:
    table = await playing(database, houses=1)
    await end(
        database,
        table.id,
        1,
        Outcome(fool=0, losers=(0,), is_draw=False, order=(2, 1), points=(0, 1, 2), epaulettes=2),
    )
    rows = await results(database)
    assert [
        (player, row.seat, row.place, row.is_loser, row.points, row.epaulettes) for row, player in rows
    ] == [
        (ANNA.ref.id, 0, None, True, 0, 2),
        (BORIS.ref.id, 1, 2, False, 1, 0),
        (None, 2, 1, False, 2, 0),
    ]
    assert {(row.players, row.people, row.losers, row.is_draw, row.finished_at) for row, _ in rows} == {
        (3, 2, 1, False, 100.0)
    }


async def test_a_lost_team_has_more_than_one_loser_and_places_are_kept(database: Database) -> None:
    table = await playing(database, houses=2)
    await end(
        database,
        table.id,
        1,
        Outcome(fool=None, losers=(0, 2), is_draw=False, order=(1, 0, 3), points=(0,) * 4),
    )
    rows = [row for row, _ in await results(database)]
    assert [(row.place, row.is_loser, row.losers) for row in rows] == [
        (2, True, 2),
        (1, False, 2),
        (None, True, 2),
        (3, False, 2),
    ]


async def test_a_draw_has_no_fool(database: Database) -> None:
    table = await playing(database)
    await end(database, table.id, 1, Outcome(fool=None, losers=(), is_draw=True, order=(0, 1), points=(0, 0)))
    assert {(row.is_draw, row.is_loser, row.losers) for row, _ in await results(database)} == {
        (True, False, 0)
    }


async def test_results_name_those_who_sat_in_that_game(database: Database) -> None:
    fool = Outcome(fool=1, losers=(1,), is_draw=False, order=(0,), points=(0, 0))
    first = await playing(database)
    await end(database, first.id, 1, fool)
    gathering = first.with_phase(Phase.OVER).rematch(ANNA, SEED).join(CLARA)
    await saved(database, gathering.with_phase(Phase.PLAYING))
    await end(database, first.id, 2, fool)
    assert [player for _, player in await results(database, 1)] == [ANNA.ref.id, BORIS.ref.id]
    assert [player for _, player in await results(database, 2)] == [ANNA.ref.id, CLARA.ref.id]


async def test_a_result_says_what_the_game_was_like(database: Database) -> None:
    table = await playing(database)
    journal, state = SqlJournal(database), OPENING.deal()
    dealt = Entry(table.id, 1, 1, None, OPENING.to_text(), None, at=40.0)
    await journal.append(dealt, snapshot=state.to_text(), outcome=None)
    over = changed(state, bouts=7).to_text()
    resigned = Entry(table.id, 2, 1, 1, "resigns", Author.PLAYER, at=100.0)
    fool = Outcome(fool=1, losers=(1,), is_draw=False, order=(0,), points=(0, 0))
    await journal.append(resigned, snapshot=over, outcome=fool)
    assert {(row.trump, row.bouts, row.seconds) for row, _ in await results(database)} == {
        (str(state.trump), 7, 60.0)
    }


async def test_games_without_a_readable_position_tell_nothing_of_themselves(database: Database) -> None:
    table = await playing(database)
    await end(database, table.id, 1, Outcome(fool=1, losers=(1,), is_draw=False, order=(0,), points=(0, 0)))
    assert {(row.trump, row.bouts, row.seconds) for row, _ in await results(database)} == {("", 0, 0.0)}
