"""Games with cheating in the database: who cheated, who caught whom, and unchanged ratings."""

from collections import Counter
from random import Random

from bot.model.standings import CheatingTally
from bot.storage import Database, SqlJournal, StandingsStore
from engine import AccusedWrongly, Caught, Event, Opening, Rules, State
from engine.runtime import Author, Entry
from tests.bot.storage.samples import ANNA, BORIS, SERVER, playing

SLY = Opening(Rules(deck=24, cheating=True), 2, "sly")


async def played(database: Database, table_id: int) -> tuple[State, tuple[Event, ...]]:
    """Plays a game of random moves on record; returns its last position and all events."""
    journal = SqlJournal(database)
    chance = Random(1)
    state = SLY.deal()
    events: tuple[Event, ...] = ()
    version = 1
    await journal.append(
        Entry(table_id, version, 1, None, SLY.to_text(), None, at=1.0), snapshot=state.to_text(), outcome=None
    )
    while state.outcome() is None:
        version += 1
        seat = chance.choice(sorted(state.actors))
        move = chance.choice(state.legal_moves(seat))
        state, happened = state.apply(seat, move)
        events += happened
        entry = Entry(table_id, version, 1, seat, str(move), Author.PLAYER, at=float(version))
        await journal.append(entry, snapshot=state.to_text(), outcome=state.outcome())

    return state, events


async def test_a_game_with_cheats_counts_who_did_what_and_changes_no_rating(database: Database) -> None:
    table = await playing(database)
    state, events = await played(database, table.id)
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.unseen

    caught = Counter(event.by for event in events if isinstance(event, Caught))
    catches = Counter(event.seat for event in events if isinstance(event, Caught))
    ghosts = Counter(event.seat for event in events if isinstance(event, AccusedWrongly))
    unseen = Counter(cheat.seat for cheat in outcome.unseen)
    standings = StandingsStore(database)
    for seat, person in enumerate((ANNA, BORIS)):
        tally = CheatingTally(unseen[seat], caught[seat], catches[seat], ghosts[seat])
        assert await standings.cheating(SERVER, person.ref) == tally

    stats = await standings.stats(SERVER, ANNA.ref)
    assert stats is not None
    assert stats.games == 1
    ratings = await standings.ratings(SERVER)
    assert len(set(ratings.values())) == 1


async def test_nobody_has_a_tally_of_cheats_without_such_a_game(database: Database) -> None:
    await playing(database)
    assert await StandingsStore(database).cheating(SERVER, ANNA.ref) is None
