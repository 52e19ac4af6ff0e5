"""The variations of servers: rules with a name of their own."""

from collections.abc import Mapping
from dataclasses import fields

from sqlalchemy import UpdateBase, select, update
from sqlmodel import col, delete
from sqlmodel.ext.asyncio.session import AsyncSession

from adapters.port import ServerRef
from bot.model.people import ServerChoices
from bot.storage.database import Database
from bot.storage.identities import SERVER, server_id
from bot.storage.models import ServerRow, VariationRow
from bot.storage.prepared import Prepared
from bot.storage.writing import Insert, as_new, hand_on, new_values, replacing
from engine import InvalidTextError, Rules


class VariationStore:
    """The variations of all servers."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def variations(self, server: ServerRef) -> Mapping[str, Rules | None]:
        """Return the rules that have a name of their own on a server; None if they cannot be read."""
        rows = await self._database.rows(_VARIATIONS, SERVER.values(server))
        return {row.name: _rules_in(row.rules) for row in rows}

    async def save(self, server: ServerRef, name: str, rules: Rules) -> None:
        """Give rules a name on a server; what had that name before is forgotten."""
        new = SERVER.values(server) | as_new({"name": name, "rules": rules.to_text()})
        await self._database.write(SERVER.on_record(server), (_SAVE, new))

    async def forget(self, server: ServerRef, name: str) -> None:
        """Forget a variation; if it was the default, there is none any more."""
        async with self._database.session() as session:
            owner = await server_id(session, server)
            await session.exec(
                delete(VariationRow).where(
                    col(VariationRow.server_id) == owner, col(VariationRow.name) == name
                )
            )
            await session.exec(
                update(ServerRow)
                .where(col(ServerRow.id) == owner, col(ServerRow.preset) == name)
                .values(preset="")
            )
            await session.commit()


def _rules_in(text: str) -> Rules | None:
    try:
        return Rules.from_text(text)
    except InvalidTextError:  # another version of the bot saved it
        return None


_VARIATIONS = Prepared(
    lambda _: (
        select(col(VariationRow.name), col(VariationRow.rules))
        .where(col(VariationRow.server_id) == SERVER.id)
        .order_by(col(VariationRow.name))
    )
)


def _save(insert: Insert) -> UpdateBase:
    rows = insert(VariationRow).values(server_id=SERVER.id, **new_values(VariationRow, "name", "rules"))
    return replacing(rows, VariationRow, ["rules"])


_SAVE = Prepared(_save)


async def hand_choices_on(session: AsyncSession, before: int, after: int) -> None:
    """Let a server's variations and choices go over to another server, which keeps what it has."""
    await hand_on(session, VariationRow, col(VariationRow.name), before=before, after=after)
    old, new = await session.get_one(ServerRow, before), await session.get_one(ServerRow, after)
    for choice in fields(ServerChoices):
        setattr(new, choice.name, getattr(new, choice.name) or getattr(old, choice.name))
    await session.flush()
