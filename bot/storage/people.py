"""People and servers: the rows behind refs, what people are called, and what they and moderators chose."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import TypeVar

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, delete, func, select, update

from adapters.port import ServerRef, User, UserRef
from bot.model.people import Calling, HandOrder, Profile, ServerChoices
from bot.storage.database import Database
from bot.storage.models import NicknameRow, PlayerRow, ServerRow, VariationRow
from engine import InvalidTextError, Rules

Known = TypeVar("Known", PlayerRow, ServerRow)


def find(session: Session, model: type[Known], ref: UserRef | ServerRef) -> Known | None:
    """Return the row of a person or a server; None where nothing of them was ever kept."""
    return session.exec(select(model).where(model.platform == ref.platform, model.ref == ref.id)).first()


def find_or_add(session: Session, model: type[Known], ref: UserRef | ServerRef) -> Known:
    """Return the row of a person or a server, a new one if there is none."""
    row = find(session, model, ref)
    if row is None:
        row = model(platform=ref.platform, ref=ref.id)
        session.add(row)
        session.flush()
    return row


def storable(name: str) -> str:
    r"""Return a name without what no database takes: halves of characters, and NUL.

    >>> storable("Anna\ud83d B.\x00")
    'Anna? B.'
    """
    return name.encode("utf-8", "replace").decode("utf-8").replace("\x00", "")


# --- people -----------------------------------------------------------------------------------------------


class PlayerStore:
    """The people who ever did something."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def profile(self, user: UserRef) -> Profile | None:
        """Return what is remembered about a person; None for a stranger."""

        def read(session: Session) -> Profile | None:
            row = find(session, PlayerRow, user)
            return None if row is None else _profile(row)

        return await self._database.read(read)

    async def remember(self, user: User) -> Profile:
        """Keep the newest name and language of a person."""
        return await self._keep(user.ref, name=storable(user.name), locale=user.locale)

    async def update(self, user: User) -> Profile | None:
        """Keep the newest name and language of a person who is on record; None for anybody else."""
        return await self._update(user.ref, name=storable(user.name), locale=user.locale)

    async def call(self, user: User, server: ServerRef) -> bool:
        """Keep what a person is called on a server; False where no game was played yet, and for strangers."""

        def write(session: Session) -> bool:
            player, here = find(session, PlayerRow, user.ref), find(session, ServerRow, server)
            if player is None or here is None:
                return False
            session.merge(NicknameRow(player_id=player.id, server_id=here.id, name=storable(user.name)))
            return True

        return await self._database.write(write)

    async def choose(self, user: UserRef, **chosen: str | bool) -> Profile:
        """Remember what a person chose, by the names of `Profile`."""
        return await self._keep(user, **chosen)

    async def set_reachable(self, user: UserRef, *, reachable: bool) -> Profile | None:
        """Remember whether the bot can write to this person; None if they are not on record."""
        return await self._update(user, reachable=reachable)

    async def _keep(self, user: UserRef, **columns: object) -> Profile:
        """Keep something about a person, who is put on record if they are not."""

        def write(session: Session) -> Profile:
            return _profile(find_or_add(session, PlayerRow, user).sqlmodel_update(columns))

        return await self._database.write(write)

    async def _update(self, user: UserRef, **columns: object) -> Profile | None:
        def write(session: Session) -> Profile | None:
            row = find(session, PlayerRow, user)
            return None if row is None else _profile(row.sqlmodel_update(columns))

        return await self._database.write(write)


def _profile(row: PlayerRow) -> Profile:
    return Profile(
        language=row.language or row.locale,
        hand_order=HandOrder(row.hand_order or HandOrder.RANK),
        calling=Calling(row.calling or Calling.AT_ONCE),
        company=row.company,
        one_tap=row.one_tap,
        reachable=row.reachable,
        wears_mark=row.wears_mark,
    )


def name_on(server: int | None) -> ColumnElement[str]:
    """Return what the person of a `PlayerRow` is called on a server: else by their newest name elsewhere."""
    own = (
        select(NicknameRow.name)
        .where(NicknameRow.player_id == PlayerRow.id, NicknameRow.server_id == server)
        .correlate(PlayerRow)
        .scalar_subquery()
    )
    return func.coalesce(own, col(PlayerRow.name))


# --- servers ----------------------------------------------------------------------------------------------


class ServerStore:
    """The choices of all servers."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def choices(self, server: ServerRef) -> ServerChoices:
        """Return what a server chose."""

        def read(session: Session) -> ServerChoices:
            row = find(session, ServerRow, server)
            return ServerChoices() if row is None else choices_of(row)

        return await self._database.read(read)

    async def choose(self, server: ServerRef, **chosen: str) -> None:
        """Change some of what a server chose, by the names of `ServerChoices`."""

        def write(session: Session) -> None:
            find_or_add(session, ServerRow, server).sqlmodel_update(chosen)

        await self._database.write(write)


def choices_of(row: ServerRow) -> ServerChoices:
    """Return what the server of a row chose."""
    return ServerChoices(**row.model_dump(include={choice.name for choice in fields(ServerChoices)}))


class VariationStore:
    """The variations of all servers: rules with a name of their own."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def variations(self, server: ServerRef) -> Mapping[str, Rules | None]:
        """Return the rules that have a name of their own on a server; None if they cannot be read."""

        def read(session: Session) -> Mapping[str, Rules | None]:
            here = find(session, ServerRow, server)
            query = select(VariationRow).where(VariationRow.server_id == (here and here.id))
            rows = session.exec(query.order_by(col(VariationRow.name)))
            return {row.name: _rules_in(row) for row in rows}

        return await self._database.read(read)

    async def save(self, server: ServerRef, name: str, rules: Rules) -> None:
        """Give rules a name on a server; what had that name before is forgotten."""

        def write(session: Session) -> None:
            here = find_or_add(session, ServerRow, server)
            session.merge(VariationRow(server_id=here.id, name=name, rules=rules.to_text()))

        await self._database.write(write)

    async def forget(self, server: ServerRef, name: str) -> None:
        """Forget a variation; if it was the default, there is none any more."""

        def write(session: Session) -> None:
            here = find(session, ServerRow, server)
            row = here and session.get(VariationRow, (here.id, name))
            if here is None or row is None:
                return
            session.delete(row)
            if here.preset == name:
                here.preset = ""

        await self._database.write(write)


def _rules_in(row: VariationRow) -> Rules | None:
    try:
        return Rules.from_text(row.rules)
    except InvalidTextError:  # another version of the bot saved it
        return None


def hand_server_on(session: Session, before: ServerRow, after: ServerRow) -> None:
    """Let names, variations and choices of a server go over to another one, which keeps what it has."""
    for model, key in ((NicknameRow, NicknameRow.player_id), (VariationRow, VariationRow.name)):
        taken = select(key).where(col(model.server_id) == after.id)
        session.exec(delete(model).where(col(model.server_id) == before.id, col(key).in_(taken)))
        session.exec(update(model).where(col(model.server_id) == before.id).values(server_id=after.id))
    chosen = {name: value for name, value in asdict(choices_of(after)).items() if value}
    after.sqlmodel_update(asdict(choices_of(before)) | chosen)
