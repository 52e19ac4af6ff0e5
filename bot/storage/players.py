"""What is remembered of people."""

from adapters.port import ServerRef, User, UserRef
from bot.model.hand_order import HandOrder
from bot.model.profile import Profile
from bot.storage.database import Database
from bot.storage.identities import player_row, player_row_made, server_id, storable
from bot.storage.nicknames import call


class PlayerStore:
    """The people who ever did something."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def remember(self, user: User) -> None:
        """Keep the newest name and language of a person."""
        async with self._database.session() as session:
            row = await player_row_made(session, user.ref)
            row.name, row.locale = storable(user.name), user.locale
            await session.commit()

    async def update(self, user: User) -> bool:
        """Keep the newest name and language of a person who is on record; False for anybody else."""
        async with self._database.session() as session:
            row = await player_row(session, user.ref)
            if row is None:
                return False
            row.name, row.locale = storable(user.name), user.locale
            await session.commit()
        return True

    async def call(self, user: User, server: ServerRef) -> bool:
        """Keep what a person is called on a server; False where nobody has played yet, and for strangers."""
        async with self._database.session() as session:
            row, place = await player_row(session, user.ref), await server_id(session, server)
            if row is None or place is None:
                return False
            await call(session, row.id, place, storable(user.name))
            await session.commit()
        return True

    async def profile(self, user: UserRef) -> Profile:
        """Return what is remembered about a person; nothing of a stranger."""
        async with self._database.reading() as session:
            row = await player_row(session, user)
        if row is None:
            return Profile()
        order = HandOrder(row.hand_order) if row.hand_order else HandOrder.RANK
        return Profile(row.language or row.locale, order, row.reachable)

    async def choose_language(self, user: UserRef, language: str) -> None:
        """Remember the language a person wants."""
        async with self._database.session() as session:
            row = await player_row_made(session, user)
            row.language = language
            await session.commit()

    async def choose_hand_order(self, user: UserRef, order: HandOrder) -> None:
        """Remember how a person wants to hold their cards."""
        async with self._database.session() as session:
            row = await player_row_made(session, user)
            row.hand_order = order
            await session.commit()

    async def set_reachable(self, user: UserRef, *, reachable: bool) -> None:
        """Remember whether the bot can write to this person, if they are on record."""
        async with self._database.session() as session:
            row = await player_row(session, user)
            if row is not None:
                row.reachable = reachable
                await session.commit()
