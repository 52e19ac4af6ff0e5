"""What is remembered of people."""

from sqlalchemy import UpdateBase, select, update
from sqlmodel import col

from adapters.port import ServerRef, User, UserRef
from bot.model.people import HandOrder, Profile
from bot.storage.database import Database
from bot.storage.identities import PLAYER, SERVER, storable
from bot.storage.models import PlayerRow
from bot.storage.nicknames import CALL
from bot.storage.prepared import Prepared, Rows, Step
from bot.storage.writing import as_new, new_values


class PlayerStore:
    """The people who ever did something."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def remember(self, user: User) -> Profile:
        """Keep the newest name and language of a person."""
        return await self._made(user.ref, _CALLED, name=storable(user.name), locale=user.locale)

    async def update(self, user: User) -> Profile | None:
        """Keep the newest name and language of a person who is on record; None for anybody else."""
        return await self._changed(user.ref, _CALLED, name=storable(user.name), locale=user.locale)

    async def call(self, user: User, server: ServerRef) -> bool:
        """Keep what a person is called on a server; False where nobody has played yet, and for strangers."""
        whose = PLAYER.values(user.ref) | SERVER.values(server)
        (called,) = await self._database.write((CALL, whose | as_new({"name": storable(user.name)})))
        return called.number > 0

    async def profile(self, user: UserRef) -> Profile | None:
        """Return what is remembered about a person; None for a stranger."""
        return _profile(await self._database.rows(_PROFILE, PLAYER.values(user)))

    async def choose_language(self, user: UserRef, language: str) -> Profile:
        """Remember the language a person wants."""
        return await self._made(user, _SPOKEN_TO, language=language)

    async def choose_hand_order(self, user: UserRef, order: HandOrder) -> Profile:
        """Remember how a person wants to hold their cards."""
        return await self._made(user, _HOLDING, hand_order=order.value)

    async def choose_private_messages(self, user: UserRef, *, wanted: bool) -> Profile:
        """Remember whether a person wants to be written to in private."""
        return await self._made(user, _WRITTEN_TO, private_messages=wanted)

    async def set_reachable(self, user: UserRef, *, reachable: bool) -> Profile | None:
        """Remember whether the bot can write to this person; None if they are not on record."""
        return await self._changed(user, _REACHED, reachable=reachable)

    async def _made(self, user: UserRef, change: Prepared, **new: object) -> Profile:
        _, changed = await self._database.write(PLAYER.on_record(user), _step(user, change, new))
        profile = _profile(changed.rows)
        assert profile is not None
        return profile

    async def _changed(self, user: UserRef, change: Prepared, **new: object) -> Profile | None:
        (changed,) = await self._database.write(_step(user, change, new))
        return _profile(changed.rows)


_KNOWN = (
    col(PlayerRow.language),
    col(PlayerRow.locale),
    col(PlayerRow.hand_order),
    col(PlayerRow.reachable),
    col(PlayerRow.private_messages),
)
_PROFILE = Prepared(lambda _: select(*_KNOWN).where(PLAYER.is_it))


def _change_of(*columns: str) -> Prepared:
    """Return the statement that writes these columns of a person, and gives their profile."""

    def change(_: object) -> UpdateBase:
        new = new_values(PlayerRow, *columns)
        return update(PlayerRow).where(PLAYER.is_it).values(**new).returning(*_KNOWN)

    return Prepared(change)


_CALLED, _REACHED = _change_of("name", "locale"), _change_of("reachable")
_SPOKEN_TO, _HOLDING = _change_of("language"), _change_of("hand_order")
_WRITTEN_TO = _change_of("private_messages")


def _step(user: UserRef, change: Prepared, new: dict[str, object]) -> Step:
    return change, PLAYER.values(user) | as_new(new)


def _profile(rows: Rows) -> Profile | None:
    if not rows:
        return None
    (row,) = rows
    order = HandOrder(row.hand_order) if row.hand_order else HandOrder.RANK
    return Profile(row.language or row.locale, order, row.reachable, row.private_messages)
