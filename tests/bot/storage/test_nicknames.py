"""People's names belong to a server."""

from dataclasses import replace

from sqlmodel import select

from adapters.port import RoomRef, ServerRef
from bot.model.standings import MIN_GAMES_TOGETHER, Ranking
from bot.storage import Database, PlayerStore, PrivacyStore, SqlJournal, StandingsStore, TableStore
from bot.storage.models import NicknameRow
from bot.storage.names import Meeting
from engine import Outcome
from engine.runtime import Entry
from tests.bot.databases import rows
from tests.bot.storage.samples import ANNA, BORIS, OPENING, ROOM, SERVER, playing, unpacked

OTHER = RoomRef(ServerRef("telegram", "-200"), "-200")
NOWHERE = ServerRef("telegram", "-300")


async def finish_games(database: Database, room: RoomRef) -> None:
    """Plays the games that Boris has to lose to Anna to make them rivals."""
    outcome = Outcome(fool=1, losers=(1,), is_draw=False, order=(0,), points=(0, 0))
    for _ in range(MIN_GAMES_TOGETHER):
        table = await playing(database, room)
        entry = Entry(table.id, 1, 1, None, OPENING.to_text(), None, at=1.0)
        await SqlJournal(database).append(entry, snapshot="", outcome=outcome)
        await TableStore(database).save(table.close())


async def names_on(database: Database, server: ServerRef) -> list[str]:
    """Returns everyone's names, which have to be the same in every tally."""
    standings = StandingsStore(database)
    names = sorted(row.name for row in await standings.ranking(server))
    assert sorted(row.name for row in await standings.ranking(server, by=Ranking.FOOLS)) == names
    assert sorted(user.name for user in await standings.people(server)) == names
    for row in await standings.ranking(server):
        career = await standings.career(server, row.user)
        assert sorted([row.name, *(duel.name for duel in career.duels)]) == names

    rivalry = (await standings.summary(server)).rivalry
    assert rivalry is not None
    assert sorted(rivalry.names) == names
    return names


async def test_people_have_a_name_on_each_server_and_their_newest_one_elsewhere(database: Database) -> None:
    for room in (ROOM, OTHER):
        await finish_games(database, room)

    players = PlayerStore(database)
    for user in (ANNA, BORIS):
        await players.remember(user)

    _, is_complete = await players.meet(Meeting(replace(BORIS, name="Boris the Bold"), SERVER))
    assert is_complete
    assert await names_on(database, SERVER) == ["Anna", "Boris the Bold"]
    assert await names_on(database, OTHER.server) == ["Anna", "Boris the Bold"]
    await players.meet(Meeting(replace(BORIS, name="b0ris"), None))
    assert await names_on(database, SERVER) == ["Anna", "Boris the Bold"]
    assert await names_on(database, OTHER.server) == ["Anna", "b0ris"]


async def test_strangers_and_servers_nobody_played_on_get_no_names(database: Database) -> None:
    await finish_games(database, ROOM)
    players = PlayerStore(database)
    stranger = replace(ANNA, ref=replace(ANNA.ref, id="77"))
    assert await players.meet(Meeting(stranger, SERVER)) == (None, False)

    profile, is_complete = await players.meet(Meeting(ANNA, NOWHERE))
    assert profile is not None
    assert not is_complete
    assert await rows(database, select(NicknameRow)) == []


async def test_names_go_along_when_a_servers_id_changes(database: Database) -> None:
    for room in (ROOM, OTHER):
        await finish_games(database, room)

    players = PlayerStore(database)
    await players.meet(Meeting(replace(ANNA, name="Old Anna"), SERVER))
    await players.meet(Meeting(replace(BORIS, name="Old Boris"), SERVER))
    await players.meet(Meeting(replace(ANNA, name="New Anna"), OTHER.server))
    await TableStore(database).rename_room(ROOM, OTHER)
    assert await names_on(database, OTHER.server) == ["New Anna", "Old Boris"]


async def test_who_is_forgotten_is_called_nothing_anywhere(database: Database) -> None:
    await finish_games(database, ROOM)
    await PlayerStore(database).meet(Meeting(ANNA, SERVER))
    known = unpacked(await PrivacyStore(database).everything_about(ANNA.ref, None, 1_000_000))
    assert [row["name"] for row in known["names on servers"]] == ["Anna"]
    await PrivacyStore(database).forget(ANNA.ref, None)
    assert await rows(database, select(NicknameRow)) == []
