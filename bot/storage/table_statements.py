"""What is asked and written again and again about tables and who sits there."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, UpdateBase, and_, bindparam, delete, or_, select, update

from adapters.port import RoomRef, ServerRef, UserRef
from bot.model.table import Phase, Player, Table, TableOptions
from bot.storage.identities import PLAYER, SERVER, STANDS_IN, in_room, storable
from bot.storage.models import BigId, PlayerRow, SeatRow, ServerRow, TableRow, table_of
from bot.storage.prepared import Prepared, Rows, Step
from bot.storage.writing import Insert, as_new, new_values
from engine import PRESETS, InvalidTextError, Rules, Stop

IN_USE = (Phase.LOBBY, Phase.PLAYING)

# --- reading ----------------------------------------------------------------------------------------------


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


_TABLE, _SEAT, _OWN_SEAT = table_of(TableRow), table_of(SeatRow), table_of(SeatRow).alias("own_seat")
_SERVER, _OPENER = table_of(ServerRow), table_of(PlayerRow).alias("opener")
_SITTER = table_of(PlayerRow).alias("sitter")

_TABLES = (
    select(
        _TABLE,
        _SERVER.c.platform.label("server_platform"),
        _SERVER.c.ref.label("server_ref"),
        _OPENER.c.platform.label("opener_platform"),
        _OPENER.c.ref.label("opener_ref"),
        *(_SEAT.c.of_game, _SEAT.c.name, _SEAT.c.joined, _SEAT.c.has_left),
        _SITTER.c.platform.label("sitter_platform"),
        _SITTER.c.ref.label("sitter_ref"),
    )
    .join(_SERVER, _SERVER.c.id == _TABLE.c.server_id)
    .join(_OPENER, _OPENER.c.id == _TABLE.c.opener_id)
    .outerjoin(
        _SEAT, and_(_SEAT.c.table_id == _TABLE.c.id, _SEAT.c.of_game.in_((_TABLE.c.game - 1, _TABLE.c.game)))
    )
    .outerjoin(_SITTER, _SITTER.c.id == _SEAT.c.player_id)
    .order_by(_TABLE.c.changed_at.desc(), _TABLE.c.id, _SEAT.c.seat)
)
"""Everything about tables, with a row for each seat of their two newest games."""

_OF_TABLE = bindparam("of_table", type_=BigId)
IS_IN_USE = or_(*(_TABLE.c.phase == phase.value for phase in IN_USE))

TABLE = Prepared(lambda _: _TABLES.where(_TABLE.c.id == _OF_TABLE))
TABLE_IN_ROOM = Prepared(lambda _: _TABLES.where(STANDS_IN, IS_IN_USE))
GAMES_OF_PLAYER = Prepared(
    lambda _: _TABLES.join(
        _OWN_SEAT, and_(_OWN_SEAT.c.table_id == _TABLE.c.id, _OWN_SEAT.c.of_game == _TABLE.c.game)
    ).where(_OWN_SEAT.c.player_id == PLAYER.id, _TABLE.c.phase == Phase.PLAYING.value)
)


def tables_in(rows: Rows) -> list[Table]:
    """Return the tables that were found; one whose rules cannot be read is damaged."""
    return [_table(list(seats)) for _, seats in groupby(rows, key=lambda row: row.id)]


def _table(rows: Rows) -> Table:
    row = rows[0]
    rules, house_rules, is_damaged = rules_of(row.preset, row.rules, row.house_rules)
    return Table(
        id=row.id,
        room=RoomRef(ServerRef(row.server_platform, row.server_ref), row.room, row.topic),
        opener=UserRef(row.opener_platform, row.opener_ref),
        preset=row.preset,
        rules=rules,
        house_rules=house_rules,
        is_damaged=is_damaged,
        seed=row.seed,
        opened_at=row.opened_at,
        players=tuple(_player(each) for each in rows if each.of_game == row.game),
        before=tuple(_player(each) for each in rows if each.of_game == row.game - 1),
        phase=Phase(row.phase),
        game=row.game,
        options=TableOptions(row.auto_done, row.clock, row.strength, row.is_paused, row.hints),
        locale=row.locale,
        stopped=Stop(row.stopped) if row.stopped else None,
        touched_at=row.changed_at,
    )


def _player(row: Any) -> Player:
    user = None if row.sitter_ref is None else UserRef(row.sitter_platform, row.sitter_ref)
    return Player(row.name, user, row.joined, row.has_left)


# --- writing ----------------------------------------------------------------------------------------------


def opened(table: Table) -> Sequence[Step]:
    """Return the steps that open a table with those who sit there, and find it, or the one in its room."""
    return [
        SERVER.on_record(table.room.server),
        PLAYER.on_record(table.opener),
        (_OPEN, _values(table)),
        *_seated(_SEAT_WHERE_OPENED, table),
        (TABLE_IN_ROOM, in_room(table.room)),
    ]


def saved(table: Table) -> Sequence[Step]:
    """Return the steps that keep a changed table; who sat in the game before stays, older ones do not."""
    if table.is_damaged:  # what is on disk stays for somebody to mend
        return [(_ENTER, _values(table))]
    people = {player.user for player in table.players if player.user is not None} | {table.opener}
    return [
        *(PLAYER.on_record(user) for user in sorted(people, key=str)),
        (_SAVE, _values(table)),
        (_LEAVE, _values(table)),
        *_seated(_SEAT_AT_TABLE, table),
    ]


_ENTERED = "phase", "changed_at"
_CHANGED = (
    *_ENTERED,
    *("preset", "rules", "house_rules", "seed", "game", "locale"),
    *("auto_done", "clock", "strength", "is_paused", "hints", "stopped"),
)


def _open(insert: Insert) -> UpdateBase:
    """Open a table, unless one in use stands in the room."""
    new = new_values(TableRow, *_CHANGED, "opened_at", "room", "topic")
    added = insert(TableRow).values(server_id=SERVER.id, opener_id=PLAYER.id, **new)
    return added.on_conflict_do_nothing()


def _change(*columns: str, **others: ColumnElement[Any]) -> Prepared:
    new = new_values(TableRow, *columns)
    return Prepared(lambda _: update(_TABLE).where(_TABLE.c.id == _OF_TABLE).values(**new, **others))


def _leave(_: Insert) -> UpdateBase:
    game = new_values(TableRow, "game")["game"]
    is_over = or_(_SEAT.c.of_game == game, _SEAT.c.of_game < game - 1)
    return delete(_SEAT).where(_SEAT.c.table_id == _OF_TABLE, is_over)


def _seat_at(*table: ColumnElement[bool]) -> Prepared:
    def sit(insert: Insert) -> UpdateBase:
        new = new_values(SeatRow, "of_game", "seat", "name", "joined", "has_left")
        row = {"table_id": _TABLE.c.id, "player_id": PLAYER.id, **new}
        seated = insert(SeatRow).from_select(list(row), select(*row.values()).where(*table))
        return seated.on_conflict_do_nothing()

    return Prepared(sit)


_OPEN, _SAVE, _ENTER = Prepared(_open), _change(*_CHANGED, opener_id=PLAYER.id), _change(*_ENTERED)
_LEAVE = Prepared(_leave)
_SEAT_AT_TABLE = _seat_at(_TABLE.c.id == _OF_TABLE)
_SEAT_WHERE_OPENED = _seat_at(STANDS_IN, IS_IN_USE, _TABLE.c.seed == new_values(TableRow, "seed")["seed"])
"""Nobody else's table has its seed."""


def _values(table: Table) -> dict[str, object]:
    """Return the parameters of what is written about a table."""
    options, house_rules = table.options, table.house_rules
    new = {
        "phase": table.phase.value,
        "changed_at": table.touched_at,
        "preset": table.preset,
        "rules": table.rules.to_text(),
        "house_rules": None if house_rules is None else house_rules.to_text(),
        "seed": table.seed,
        "game": table.game,
        "locale": table.locale,
        "auto_done": options.auto_done,
        "clock": options.clock,
        "strength": options.strength,
        "is_paused": options.is_paused,
        "hints": options.hints,
        "stopped": table.stopped or "",
        "opened_at": table.opened_at,
        "room": table.room.id,
        "topic": table.room.topic,
    }
    whose = SERVER.values(table.room.server) | PLAYER.values(table.opener)
    return {"of_table": table.id} | whose | as_new(new)


def _seated(seat_at: Prepared, table: Table) -> list[Step]:
    """Return the steps that seat everybody."""
    where = {"of_table": table.id} | as_new({"seed": table.seed}) | in_room(table.room)
    return [
        (seat_at, where | PLAYER.values(each.user) | _seat(table, seat, each))
        for seat, each in enumerate(table.players)
    ]


def _seat(table: Table, seat: int, player: Player) -> dict[str, object]:
    row = {
        "of_game": table.game,
        "seat": seat,
        "name": storable(player.name),
        "joined": player.joined,
        "has_left": player.has_left,
    }
    return as_new(row)
