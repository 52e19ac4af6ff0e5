"""A dealt table of three, and random moves on it."""

from random import Random

from engine import PRESETS, Opening, State
from engine.runtime import Accepted, GameSession
from tests.engine.runtime.memory import Parts

OPENING = Opening(PRESETS["podkidnoy-36"], players=3, seed="5eed")


async def dealt(parts: Parts) -> GameSession:
    session = parts.session()
    assert await session.deal(1, OPENING) == Accepted(1)
    return session


def position(session: GameSession) -> State:
    assert session.state is not None
    return session.state


def some_move(session: GameSession, rng: Random | None = None) -> tuple[int, str]:
    state = position(session)
    moves = [(seat, str(move)) for seat in sorted(state.actors) for move in state.legal_moves(seat)]
    return (rng or Random(1)).choice(moves)


async def play(session: GameSession, rng: Random | None = None) -> None:
    seat, move = some_move(session, rng)
    assert isinstance(await session.submit(seat, move, session.version), Accepted)


async def play_out(session: GameSession, rng: Random | None = None) -> None:
    rng = rng or Random(1)
    while session.outcome is None:
        await play(session, rng)
