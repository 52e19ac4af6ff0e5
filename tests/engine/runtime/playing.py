"""A dealt table of three, and random moves on it."""

from random import Random

from engine import PRESETS, Opening, State
from engine.runtime import Accepted, Table
from tests.engine.runtime.memory import Parts

OPENING = Opening(PRESETS["podkidnoy-36"], players=3, seed="5eed")


async def dealt(parts: Parts) -> Table:
    table = parts.table()
    assert await table.deal(1, OPENING) == Accepted(1)
    return table


def position(table: Table) -> State:
    assert table.state is not None
    return table.state


def some_move(table: Table, chance: Random | None = None) -> tuple[int, str]:
    state = position(table)
    moves = [(seat, str(move)) for seat in sorted(state.actors) for move in state.legal_moves(seat)]
    return (chance or Random(1)).choice(moves)


async def play(table: Table, chance: Random | None = None) -> None:
    seat, move = some_move(table, chance)
    assert isinstance(await table.submit(seat, move, table.version), Accepted)


async def play_out(table: Table, chance: Random | None = None) -> None:
    chance = chance or Random(1)
    while table.outcome is None:
        await play(table, chance)
