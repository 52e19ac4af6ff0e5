"""Who was away: counted from the journal, so that a restart forgets nothing."""

from dataclasses import replace

import pytest

from engine.runtime import Author, GameSession
from tests.engine.runtime.memory import Parts
from tests.engine.runtime.playing import dealt, play_out, some_move


async def submitted_by(session: GameSession, *authors: Author) -> list[int]:
    """Plays a move for each author and gives the seats that moved."""
    seats = []
    for author in authors:
        seat, move = some_move(session)
        await session.submit(seat, move, session.version, author)
        seats.append(seat)
    return seats


async def moved_alone(parts: Parts, *authors: Author) -> tuple[GameSession, int]:
    """Gives a table whose journal says that one seat made moves by these authors, one after the other."""
    session = await dealt(parts)
    await play_out(session)
    seat = 0
    own = iter(authors)
    parts.journal.entries[1] = [
        entry if entry.seat != seat else replace(entry, author=next(own, Author.AUTO))
        for entry in parts.journal.entries[1]
    ]
    assert next(own, None) is None, "the game was too short for this test"
    await session.load()
    return session, seat


@pytest.mark.parametrize(
    ("authors", "absences"),
    [
        ([Author.PLAYER], 0),
        ([Author.CLOCK], 1),
        ([Author.CLOCK, Author.CLOCK], 2),
        ([Author.CLOCK, Author.PLAYER], 0),
        ([Author.PLAYER, Author.CLOCK], 1),
        ([Author.CLOCK, Author.CLOCK, Author.HOUSE], 3),
        ([Author.PLAYER, Author.CLOCK, Author.AUTO], 1),
        ([Author.AUTO, Author.AUTO], 0),
    ],
)
async def test_absences_are_the_newest_moves_that_the_person_did_not_make(
    authors: list[Author], absences: int
) -> None:
    session, seat = await moved_alone(Parts(), *authors)
    assert session.absences(seat) == absences


async def test_absences_before_somebody_came_back_are_forgiven() -> None:
    session, seat = await moved_alone(Parts(), Author.CLOCK, Author.CLOCK, Author.CLOCK)
    second = [entry.version for entry in session.entries if entry.author is Author.CLOCK][1]
    assert session.absences(seat, since=second) == 1
    assert session.absences(seat, since=session.version) == 0


async def test_one_seats_absences_are_not_anothers() -> None:
    session = await dealt(Parts())
    seats = await submitted_by(session, Author.CLOCK, Author.PLAYER)
    assert seats[0] != seats[1]
    assert (session.absences(seats[0]), session.absences(seats[1])) == (1, 0)
