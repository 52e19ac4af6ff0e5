"""Games that were not counted are counted at a start, server by server, also after a kill."""

from dataclasses import replace

import pytest
from sqlmodel import Session, delete, update

from adapters.port import ServerRef
from bot.app import SCHEMA
from bot.storage import Database, tallies
from bot.storage.models import (
    DuelRow,
    MonthGamesRow,
    MonthTallyRow,
    ResultRow,
    TallyRow,
    TitleRow,
    YearDuelRow,
)
from bot.storage.tallies import Uncounted, batches
from engine import Rank
from tests.bot.storage.samples import ANNA, BORIS, OPENING
from tests.bot.storage.test_standings import Finished, record
from tests.bot.storage.test_tallies import FOOL, counted

UP_TO_THE_ACE = replace(OPENING, levels=(int(Rank.SIX), int(Rank.ACE)))
CLIMBED = replace(FOOL, epaulettes=1)

SERVERS = tuple(ServerRef("telegram", f"-{number}") for number in (7, 8, 9))


async def record_everywhere(database: Database) -> None:
    for number, server in enumerate(SERVERS):
        games = [
            Finished(server, (ANNA, BORIS), CLIMBED, float(at), bouts=9, opening=UP_TO_THE_ACE)
            for at in range(10, 13)
        ]
        await record(database, games, first=10 * number + 1)


def forget_months(session: Session) -> None:
    for model in (MonthTallyRow, MonthGamesRow, YearDuelRow):
        session.exec(delete(model))


def forget_all(session: Session) -> None:
    forget_months(session)
    for model in (TallyRow, TitleRow, DuelRow):
        session.exec(delete(model))


def forget_rules(session: Session) -> None:
    """Leaves the results of earlier versions, which did not note the rules of a game."""
    forget_all(session)
    session.exec(update(ResultRow).values(preset=None, level=0))


@pytest.mark.parametrize("forget", [forget_months, forget_all, forget_rules])
async def test_a_start_counts_again_what_is_missing(sqlite_url: str, forget: object) -> None:
    database = Database(sqlite_url, SCHEMA)
    await database.open()
    await record_everywhere(database)
    before = [each.expected for each in await database.read(counted)]
    await database.write(forget)  # type: ignore[arg-type]
    assert (await database.due()).games == 9

    await database.open()
    assert await database.read(counted) == before
    assert not (await database.due()).is_due
    await database.close()


async def test_counting_goes_on_after_a_kill(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tallies, "BATCH_SIZE", 1)
    database = Database(sqlite_url, SCHEMA)
    await database.open()
    await record_everywhere(database)
    await database.write(forget_months)

    def kill(unit: str, done: int, total: int) -> None:
        if done:
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await database.open(kill)

    assert (await database.due()).games == 6

    reports = list[tuple[str, int, int]]()
    await database.open(lambda *report: reports.append(report))
    assert reports == [("games counted", 0, 6), ("games counted", 3, 6), ("games counted", 6, 6)]
    await database.close()


def test_small_servers_are_counted_together_and_large_ones_alone() -> None:
    servers = [
        Uncounted(1, 5),
        Uncounted(2, 9_000),
        Uncounted(3, 9_000),
        Uncounted(4, 9_000),
        Uncounted(5, 90_000),
    ]
    assert [[each.server for each in batch] for batch in batches(servers)] == [[1, 2, 3], [4], [5]]
