"""A seat that gives up, at a living table."""

from engine import Reason
from engine.runtime import Accepted, Author, Closed, Refused, Unreadable
from tests.engine.runtime.memory import Parts
from tests.engine.runtime.playing import dealt, play, position


async def test_who_resigns_has_lost_whatever_was_on_his_screen() -> None:
    session = await dealt(Parts())
    await play(session)
    assert isinstance(await session.resign(1), Accepted)
    assert session.outcome is not None
    assert session.outcome.fool == 1
    assert [(entry.seat, entry.text, entry.author) for entry in session.entries][-1] == (
        1,
        "resigns",
        Author.PLAYER,
    )


async def test_a_game_that_was_given_up_is_found_so_again() -> None:
    parts = Parts()
    session = await dealt(parts)
    await session.resign(0)
    again = parts.session()
    await again.load()
    assert position(again).to_text() == position(session).to_text()
    assert await again.resign(1) == Closed()


async def test_a_seat_that_is_not_there_cannot_resign() -> None:
    session = await dealt(Parts())
    assert await session.resign(9) == Refused(Reason.NO_SUCH_SEAT)
    assert session.version == 1


async def test_no_button_of_a_move_resigns() -> None:
    session = await dealt(Parts())
    assert await session.submit(0, "resigns", 1) == Unreadable()
