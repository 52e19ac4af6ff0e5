"""The people around the tables."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from sqlalchemy import update
from sqlmodel import col, delete, or_, select
from sqlmodel.ext.asyncio.session import AsyncSession

from adapters.port import RoomRef, ServerRef, User, UserRef
from bot.model.players import Player
from bot.model.table import Phase, Table
from bot.model.table_options import TableOptions
from bot.storage.database import Database
from bot.storage.identities import player_ids_made, player_row, server_id, server_id_made, stands_in, storable
from bot.storage.models import PlayerRow, ResultRow, SeatRow, ServerRow, TableRow
from bot.storage.nicknames import hand_nicknames_on
from bot.storage.tallies import hand_tallies_on
from bot.storage.variations import hand_choices_on
from bot.storage.writing import added
from engine import PRESETS, InvalidTextError, Rules, Stop

IN_USE = (Phase.LOBBY, Phase.PLAYING)


class ReadRules(NamedTuple):
    """The rules of a row: those played, those that a variation's name stands for, and whether none are."""

    rules: Rules
    house_rules: Rules | None
    is_damaged: bool


@lru_cache(maxsize=256)
def rules_of(preset: str, rules: str, house_rules: str | None) -> ReadRules:
    """Read the rules in a row's columns; many tables have the same."""
    try:
        read, house = Rules.from_text(rules), None if house_rules is None else Rules.from_text(house_rules)
    except InvalidTextError:
        return ReadRules(Rules(), None, is_damaged=True)
    return ReadRules(read, house, is_damaged=house is None and preset not in PRESETS)


class TableStore:
    """All tables: who sits, by which rules, and where each of them stands."""

    def __init__(self, database: Database, now: Callable[[], float] = time.time) -> None:
        """Keep the tables in `database`; `now` gives Unix seconds."""
        self._database = database
        self._now = now

    async def open(
        self,
        *,
        room: RoomRef,
        opener: User,
        joined: str = "",
        preset: str,
        rules: Rules,
        house_rules: Rules | None = None,
        seed: str,
        locale: str,
    ) -> Table:
        """Open a table, and seat its opener if that is a person.

        If a table in use stands in the room, that one is given.
        """
        async with self._database.session() as session:
            row = await _in_room(session, room)
            while row is None:
                ids = await player_ids_made(session, [opener.ref])
                new = TableRow(
                    server_id=await server_id_made(session, room.server),
                    room=room.id,
                    topic=room.topic,
                    opener_id=ids[opener.ref],
                    preset=preset,
                    rules=rules.to_text(),
                    house_rules=_text(house_rules),
                    seed=seed,
                    opened_at=self._now(),
                    changed_at=self._now(),
                    phase=Phase.LOBBY,
                    game=1,
                    auto_done=TableOptions().auto_done,
                    clock=TableOptions().clock,
                    locale=locale,
                )
                is_new = await added(session, new)
                row = await _in_room(session, room)  # else somebody opened one at the same moment
                if is_new and row is not None and opener.is_person:
                    await _seat(session, row.id, 1, [Player(opener.name, opener.ref, joined)], ids)
            table = await _table(session, row)
            await session.commit()
        return table

    async def save(self, table: Table) -> Table:
        """Keep a changed table, and give it; the room it stands in changes only by `rename_room`."""
        async with self._database.session() as session:
            row = await session.get_one(TableRow, table.id)
            row.phase, row.changed_at = table.phase, self._now()
            saved = replace(table, touched_at=row.changed_at)
            if not table.is_damaged:  # else what is on disk stays for somebody to mend
                _write(row, table)
                seated = {player.user for player in table.players if player.user is not None}
                ids = await player_ids_made(session, seated | {table.opener})
                row.opener_id = ids[table.opener]
                await _seat(session, table.id, table.game, table.players, ids)
            await session.commit()
        return saved

    async def get(self, table_id: int) -> Table | None:
        """Find a table by its id."""
        async with self._database.reading() as session:
            row = await session.get(TableRow, table_id)
            return None if row is None else await _table(session, row)

    async def in_room(self, room: RoomRef) -> Table | None:
        """Find the table in use that stands in a room."""
        async with self._database.reading() as session:
            row = await _in_room(session, room)
            return None if row is None else await _table(session, row)

    async def of_player(self, user: UserRef) -> list[Table]:
        """Return the running games a person plays in, the newest first."""
        async with self._database.reading() as session:
            player = await player_row(session, user)
            if player is None:
                return []
            query = (
                select(TableRow)
                .join(
                    SeatRow,
                    (col(SeatRow.table_id) == TableRow.id) & (col(SeatRow.of_game) == TableRow.game),
                )
                .where(SeatRow.player_id == player.id, TableRow.phase == Phase.PLAYING)
                .order_by(col(TableRow.changed_at).desc())
            )
            return [await _table(session, row) for row in (await session.exec(query)).all()]

    async def about(self, user: UserRef, private: ServerRef | None) -> list[int]:
        """Name all tables that know a person, or stand in their `private` chat."""
        async with self._database.reading() as session:
            player = await player_row(session, user)
            seats = select(SeatRow.table_id).where(col(SeatRow.player_id) == (player and player.id))
            known = [col(TableRow.opener_id) == (player and player.id), col(TableRow.id).in_(seats)]
            if private is not None:
                known.append(col(TableRow.server_id) == await server_id(session, private))
            query = select(TableRow.id).where(or_(*known))
            return list((await session.exec(query)).all())

    async def rename_room(self, old: RoomRef, new: RoomRef) -> None:
        """Let a room with its topics go on under a new id; if its server's id changes with it, all go along.

        Where a table in use stands under either id, one stays: the one that plays, or else the older one.
        """
        async with self._database.session() as session:
            before = await server_id(session, old.server)
            if before is None:
                return
            after = await server_id_made(session, new.server)
            await _make_way(session, (before, old.id), (after, new.id))
            await session.exec(
                update(TableRow)
                .where(col(TableRow.server_id) == before, col(TableRow.room) == old.id)
                .values(server_id=after, room=new.id)
            )
            if old.server != new.server:
                moving = ((TableRow, TableRow.server_id), (ResultRow, ResultRow.server_id))
                for model, column in moving:
                    await session.exec(update(model).where(col(column) == before).values(server_id=after))
                await hand_choices_on(session, before, after)
                await hand_nicknames_on(session, before, after)
                await hand_tallies_on(session, before, after)
                await session.exec(delete(ServerRow).where(col(ServerRow.id) == before))
            await session.commit()


async def _in_room(session: AsyncSession, room: RoomRef) -> TableRow | None:
    query = select(TableRow).where(await stands_in(session, room), col(TableRow.phase).in_(IN_USE))
    return (await session.exec(query)).first()


async def _make_way(session: AsyncSession, *rooms: tuple[int, str]) -> None:
    """Put tables away until these rooms could be one."""
    query = (
        select(TableRow)
        .where(
            or_(
                *(
                    (col(TableRow.server_id) == server) & (col(TableRow.room) == room)
                    for server, room in rooms
                )
            ),
            col(TableRow.phase).in_(IN_USE),
        )
        .order_by(col(TableRow.phase) == Phase.LOBBY, col(TableRow.id))
    )
    stays: set[str] = set()
    for row in (await session.exec(query)).all():
        if row.topic in stays:
            row.phase = Phase.CLOSED
        stays.add(row.topic)
    await session.flush()


async def _seat(
    session: AsyncSession, table_id: int, game: int, players: Sequence[Player], ids: Mapping[UserRef, int]
) -> None:
    """Write who sits in this game; who sat in the game before stays on record, older ones do not."""
    await session.exec(
        delete(SeatRow).where(
            col(SeatRow.table_id) == table_id,
            or_(col(SeatRow.of_game) == game, col(SeatRow.of_game) < game - 1),
        )
    )
    for seat, player in enumerate(players):
        session.add(
            SeatRow(
                table_id=table_id,
                of_game=game,
                seat=seat,
                player_id=None if player.user is None else ids[player.user],
                name=storable(player.name),
                joined=player.joined,
                has_left=player.has_left,
            )
        )


def _write(row: TableRow, table: Table) -> None:
    row.preset, row.rules, row.seed = table.preset, table.rules.to_text(), table.seed
    row.house_rules = _text(table.house_rules)
    row.game, row.locale = table.game, table.locale
    row.auto_done, row.clock = table.options.auto_done, table.options.clock
    row.strength, row.is_paused = table.options.strength, table.options.is_paused
    row.hints = table.options.hints
    row.stopped = table.stopped or ""


async def _table(session: AsyncSession, row: TableRow) -> Table:
    """Return the table of a row; one whose rules cannot be read is damaged."""
    rules, house_rules, is_damaged = rules_of(row.preset, row.rules, row.house_rules)
    server = await session.get_one(ServerRow, row.server_id)
    opener = await session.get_one(PlayerRow, row.opener_id)
    seats = await _seats_of(session, row.id, (row.game - 1, row.game))
    return Table(
        id=row.id,
        room=RoomRef(ServerRef(server.platform, server.ref), row.room, row.topic),
        opener=UserRef(opener.platform, opener.ref),
        preset=row.preset,
        rules=rules,
        house_rules=house_rules,
        is_damaged=is_damaged,
        seed=row.seed,
        opened_at=row.opened_at,
        players=seats[row.game],
        before=seats[row.game - 1],
        phase=Phase(row.phase),
        game=row.game,
        options=TableOptions(row.auto_done, row.clock, row.strength, row.is_paused, row.hints),
        locale=row.locale,
        stopped=Stop(row.stopped) if row.stopped else None,
        touched_at=row.changed_at,
    )


async def _seats_of(
    session: AsyncSession, table_id: int, games: Sequence[int]
) -> Mapping[int, tuple[Player, ...]]:
    """Return who sat in each of these games."""
    query = (
        select(SeatRow, PlayerRow)
        .join(PlayerRow, isouter=True)
        .where(SeatRow.table_id == table_id, col(SeatRow.of_game).in_(games))
        .order_by(col(SeatRow.seat))
    )
    found: dict[int, tuple[Player, ...]] = dict.fromkeys(games, ())
    for seat, player in await session.exec(query):
        user = None if player is None else UserRef(player.platform, player.ref)
        found[seat.of_game] += (Player(seat.name, user, seat.joined, seat.has_left),)
    return found


def _text(rules: Rules | None) -> str | None:
    return None if rules is None else rules.to_text()
