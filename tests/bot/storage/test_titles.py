"""Titles are derived from the stored results."""

from sqlmodel import Session

from bot.model.career import Title
from bot.storage import Database, StandingsStore, TitleStore
from bot.storage.careers import MIN_EARLIER_GAMES
from bot.storage.models import PlayerRow, ResultRow, TableRow
from bot.storage.numbers import find
from bot.storage.tallies import add_results
from tests.bot.storage.samples import ANNA, BORIS, SERVER, playing


async def finished(
    database: Database, table: int, game: int, *, loser: int, bouts: int = 9, first: int = 0, houses: int = 0
) -> None:
    """Records a game of Anna, Boris and some house players, seated in this order."""

    def write(session: Session) -> None:
        people = [find(session, PlayerRow, user.ref) for user in (ANNA, BORIS)]
        seats = list[ResultRow]()
        for seat in range(2 + houses):
            player = people[seat] if seat < 2 else None
            seats.append(
                ResultRow(
                    table_id=table,
                    game=game,
                    seat=seat,
                    server_id=session.get_one(TableRow, table).server_id,
                    player_id=player.id if player is not None else None,
                    players=2 + houses,
                    people=2,
                    losers=1,
                    place=1 if seat == first else None,
                    is_loser=seat == loser,
                    is_draw=False,
                    points=0,
                    epaulettes=0,
                    finished_at=float(game),
                    bouts=bouts,
                    strength="expert" if player is None else "",
                )
            )

        add_results(session, seats)

    await database.write(write)


async def test_who_is_out_first_in_the_shortest_game_of_many_has_a_title(database: Database) -> None:
    table = await playing(database)
    for game in range(1, MIN_EARLIER_GAMES + 1):
        await finished(database, table.id, game, loser=0, first=1, bouts=9)

    titles, newest = TitleStore(database), MIN_EARLIER_GAMES + 1
    await finished(database, table.id, newest, loser=1, first=0, bouts=9)
    assert Title.QUICKEST not in await titles.new_titles(table.id, newest)
    await finished(database, table.id, newest + 1, loser=1, first=0, bouts=5)
    assert (await titles.new_titles(table.id, newest + 1))[Title.QUICKEST] == [0]
    assert Title.QUICKEST in await TitleStore(database).titles(SERVER, ANNA.ref)
    assert Title.QUICKEST not in await TitleStore(database).titles(SERVER, BORIS.ref)


async def test_who_plays_while_one_of_three_experts_loses_has_a_title(
    database: Database,
) -> None:
    table, titles = await playing(database), TitleStore(database)
    await finished(database, table.id, 1, loser=3, houses=2)
    assert Title.THREE_EXPERTS not in await titles.new_titles(table.id, 1)
    await finished(database, table.id, 2, loser=1, houses=3)
    assert Title.THREE_EXPERTS not in await titles.new_titles(table.id, 2)
    await finished(database, table.id, 3, loser=4, houses=3)
    assert (await titles.new_titles(table.id, 3))[Title.THREE_EXPERTS] == [0, 1]


async def test_a_stranger_has_no_titles(database: Database) -> None:
    assert await TitleStore(database).titles(SERVER, ANNA.ref) == set()


async def test_the_score_against_each_strength_counts_games_and_not_bots(database: Database) -> None:
    table, standings = await playing(database), StandingsStore(database)
    await finished(database, table.id, 1, loser=0)
    assert await standings.against_houses(SERVER, ANNA.ref) == {}
    await finished(database, table.id, 2, loser=0, houses=3)
    await finished(database, table.id, 3, loser=4, houses=3)
    assert await standings.against_houses(SERVER, ANNA.ref) == {"expert": (1, 2)}
    assert await standings.against_houses(SERVER, BORIS.ref) == {"expert": (0, 2)}


async def test_a_title_stays_with_the_game_that_brought_it(database: Database) -> None:
    table = await playing(database)
    for game in (1, 2):
        await finished(database, table.id, game, loser=0)

    titles = TitleStore(database)
    assert (await titles.new_titles(table.id, 1))[Title.FIRST_FOOL] == [0]
    assert await titles.new_titles(table.id, 2) == {}
    assert await titles.titles(SERVER, ANNA.ref) == {Title.FIRST_GAME, Title.FIRST_FOOL}
