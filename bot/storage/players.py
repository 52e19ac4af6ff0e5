"""What is remembered of people."""

from sqlmodel.ext.asyncio.session import AsyncSession

from adapters.port import ServerRef, User, UserRef
from bot.model.hand_order import HandOrder
from bot.model.profile import Profile
from bot.storage.database import Database
from bot.storage.identities import player_row, player_row_made, server_id, storable
from bot.storage.models import PlayerRow
from bot.storage.nicknames import call


class PlayerStore:
    """The people who ever did something."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def remember(self, user: User) -> Profile:
        """Keep the newest name and language of a person."""
        async with self._database.session() as session:
            row = await player_row_made(session, user.ref)
            row.name, row.locale = storable(user.name), user.locale
            return await _changed(session, row)

    async def update(self, user: User) -> Profile | None:
        """Keep the newest name and language of a person who is on record; None for anybody else."""
        async with self._database.session() as session:
            row = await player_row(session, user.ref)
            if row is None:
                return None
            row.name, row.locale = storable(user.name), user.locale
            return await _changed(session, row)

    async def call(self, user: User, server: ServerRef) -> bool:
        """Keep what a person is called on a server; False where nobody has played yet, and for strangers."""
        async with self._database.session() as session:
            row, place = await player_row(session, user.ref), await server_id(session, server)
            if row is None or place is None:
                return False
            await call(session, row.id, place, storable(user.name))
            await session.commit()
        return True

    async def profile(self, user: UserRef) -> Profile | None:
        """Return what is remembered about a person; None for a stranger."""
        async with self._database.reading() as session:
            row = await player_row(session, user)
            return None if row is None else _profile(row)

    async def choose_language(self, user: UserRef, language: str) -> Profile:
        """Remember the language a person wants."""
        async with self._database.session() as session:
            row = await player_row_made(session, user)
            row.language = language
            return await _changed(session, row)

    async def choose_hand_order(self, user: UserRef, order: HandOrder) -> Profile:
        """Remember how a person wants to hold their cards."""
        async with self._database.session() as session:
            row = await player_row_made(session, user)
            row.hand_order = order
            return await _changed(session, row)

    async def set_reachable(self, user: UserRef, *, reachable: bool) -> Profile | None:
        """Remember whether the bot can write to this person; None if they are not on record."""
        async with self._database.session() as session:
            row = await player_row(session, user)
            if row is None:
                return None
            row.reachable = reachable
            return await _changed(session, row)


async def _changed(session: AsyncSession, row: PlayerRow) -> Profile:
    """Commit what was changed, and give what is remembered now."""
    profile = _profile(row)
    await session.commit()
    return profile


def _profile(row: PlayerRow) -> Profile:
    order = HandOrder(row.hand_order) if row.hand_order else HandOrder.RANK
    return Profile(row.language or row.locale, order, row.reachable)
