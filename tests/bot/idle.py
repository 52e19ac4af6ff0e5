"""Idle tables on disk, for the tests of restarts."""

from dataclasses import dataclass

from adapters.port import MessageRef, Reply, RoomRef, User
from bot.delivery.idle_tables import NOTE_SECONDS
from bot.model.table import Table
from bot.storage import TableStore
from tests.bot.chat import ROOM
from tests.bot.running_bot import RunningBot


@dataclass
class Chosen:
    """A button with a legal move of a player."""

    user: User
    message: MessageRef
    token: str

    async def is_pressed(self, bot: RunningBot) -> Reply:
        return await bot.chat.presses_token(self.user, self.message, self.token)


async def chosen(bot: RunningBot, table: Table) -> Chosen:
    user = await bot.waiting_for(table)
    session = await bot.session(table)
    assert session.state is not None
    move = session.state.legal_moves(await bot.waiting_seat(table))[0]
    return Chosen(user, bot.hand_message(user).ref, f"m:{table.id}:{session.version}:{move}")


async def endless(bot: RunningBot, *people: User, room: RoomRef = ROOM) -> Table:
    """Deals a game without a clock and records its silence: nothing happens for hours then."""
    table = await bot.chooses(await bot.dealt(*people, room=room), clock=0)
    await bot.skip(61.0)
    return table


async def dues(bot: RunningBot) -> list[float]:
    return [table.due_at for table in await TableStore(bot.database, bot.clock.now).unfinished()]


async def become_idle(bot: RunningBot) -> None:
    """Waits until the idle flags of all tables are recorded."""
    await bot.skip(NOTE_SECONDS)
    assert all(await dues(bot))


def in_memory(bot: RunningBot) -> set[int]:
    """Returns the tables in memory."""
    return set(bot.app.tables.known)
