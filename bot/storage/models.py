"""The tables of the database. The journal is the truth about the games."""

from typing import Any, ClassVar

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    UniqueConstraint,
    text,
)
from sqlmodel import Field, SQLModel

BigId = BigInteger().with_variant(Integer, "sqlite")
"""A 64-bit id; SQLite counts up by itself only in a column that is plainly an INTEGER."""


GAME = "seat = 0 AND people >= 2"
"""The one result of each game that counts which stands for the game."""

STOPPED = "stopped <> ''"
"""True of a table whose newest game was stopped."""


BY_KEY: dict[str, Any] = {"sqlite_with_rowid": False}
"""Lets SQLite keep a table's rows by their primary key, and not the keys once more beside them."""


class Base(SQLModel):
    """All models, with names for their constraints, so that migrations can speak of them."""

    model_config = {"defer_build": True}  # pydantic checks no row, so it need not prepare to

    metadata: ClassVar[MetaData] = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


def own_id() -> Any:
    """Return a column that gives each row a number."""
    return Field(default=None, sa_column=Column(BigId, primary_key=True))


def table_of(model: type[Base]) -> Table:
    """Return the plain table of a model, for rows that need not be objects."""
    return Base.metadata.tables[str(model.__tablename__)]


def id_of(table: str, *, is_key: bool = False, is_optional: bool = False, has_index: bool = False) -> Any:
    """Return a column that names a row of another table."""
    reference = ForeignKey(f"{table}.id")
    column = Column(BigId, reference, primary_key=is_key, nullable=is_optional, index=has_index or None)
    return Field(default=None, sa_column=column)


class ServerRow(Base, table=True):
    """A community with one leaderboard, and what its moderators chose; what is empty was not chosen.

    `preset` is what is played when nobody says otherwise, `locale` the language of its tables, `time_zone`
    (an IANA name) where its weeks begin, `view` how its tables look, `style` in which colours, `teasing`
    whether they tease their players.
    """

    __tablename__ = "server"
    __table_args__ = (UniqueConstraint("platform", "ref"),)

    id: int = own_id()
    platform: str
    ref: str
    preset: str = ""
    locale: str = ""
    time_zone: str = ""
    view: str = ""
    style: str = ""
    teasing: str = ""


class VariationRow(Base, table=True):
    """Rules that a server has given a name of its own."""

    __tablename__ = "variation"

    server_id: int = id_of("server", is_key=True)
    name: str = Field(primary_key=True)
    rules: str


class PlayerRow(Base, table=True):
    """A person; `reachable` says whether a message to them arrived (None: never tried).

    `name` is the newest one they had anywhere; what they are called on a server is a `NicknameRow`.
    `locale` is what their chat says; `language` and `hand_order` are what they chose (empty: nothing),
    `private_messages` whether the bot may write to them.
    """

    __tablename__ = "player"
    __table_args__ = (UniqueConstraint("platform", "ref"),)

    id: int = own_id()
    platform: str
    ref: str
    name: str = ""
    locale: str = ""
    language: str = ""
    hand_order: str = ""
    reachable: bool | None = None
    private_messages: bool = True


class NicknameRow(Base, table=True):
    """What a person is called on a server."""

    __tablename__ = "nickname"

    player_id: int = id_of("player", is_key=True)
    server_id: int = id_of("server", is_key=True)
    name: str


class TableRow(Base, table=True):
    """A table with its lobby; `seed` is secret until the game it deals is over.

    `house_rules` is set when `preset` names a variation of the server; `stopped` says who stopped the newest
    game, if it was not played to its end.

    A room has at most one table that gathers or plays.
    """

    __tablename__ = "card_table"
    __table_args__ = (
        Index(
            "uq_card_table_room_in_use",
            "server_id",
            "room",
            "topic",
            unique=True,
            sqlite_where=text("phase IN ('lobby', 'playing')"),
        ),
        Index("ix_card_table_phase", "phase"),
        Index("ix_card_table_stopped", "server_id", "changed_at", sqlite_where=text(STOPPED)),
        {"sqlite_autoincrement": True},  # old buttons name tables, so no id is ever given out twice
    )

    id: int = own_id()
    server_id: int = id_of("server")
    room: str
    topic: str
    opener_id: int = id_of("player")
    preset: str
    rules: str
    house_rules: str | None = None
    seed: str = Field(repr=False)
    opened_at: float
    changed_at: float
    phase: str
    game: int
    auto_done: bool
    clock: int
    strength: str = "regular"
    is_paused: bool = False
    hints: bool = True
    stopped: str = ""
    locale: str


class SeatRow(Base, table=True):
    """Who sits at a table, in its current game (`of_game` is the table's game) and in the one before.

    A house player has no `player_id`.
    """

    __tablename__ = "seat"
    __table_args__ = BY_KEY

    table_id: int = id_of("card_table", is_key=True)
    of_game: int = Field(primary_key=True)
    seat: int = Field(primary_key=True)
    player_id: int | None = id_of("player", is_optional=True, has_index=True)
    name: str
    joined: str = ""
    has_left: bool = False


class EntryRow(Base, table=True):
    """A line of the journal."""

    __tablename__ = "entry"
    __table_args__ = BY_KEY

    table_id: int = id_of("card_table", is_key=True)
    version: int = Field(primary_key=True)
    game: int
    seat: int | None
    text: str = Field(repr=False)
    author: str | None
    at: float


class SnapshotRow(Base, table=True):
    """The position after a table's newest entry, to check the journal by."""

    __tablename__ = "snapshot"

    table_id: int = id_of("card_table", is_key=True)
    text: str = Field(repr=False)


class IdleTableRow(Base, table=True):
    """A table that needs nothing before `due_at` (None: ever), unless its version or people have changed."""

    __tablename__ = "idle_table"

    table_id: int = id_of("card_table", is_key=True)
    version: int
    touched_at: float
    noted_at: float
    due_at: float | None = None


class ResultRow(Base, table=True):
    """How one seat fared in one finished game.

    `player_id` is None for a house player, `place` None for whoever did not go out. `players` counts all
    seats, `people` those of people, `losers` those who lost together. `trump`, `bouts` and `seconds` tell of
    the game, and `rating_change` of the points that a person's rating won by it; they are empty or zero for
    games that were finished before anybody noted them.
    """

    __tablename__ = "result"
    __table_args__ = (
        Index("ix_result_server_id_finished_at", "server_id", "finished_at"),
        Index("ix_result_player_id_server_id", "player_id", "server_id"),
        Index(
            "ix_result_first_seat",
            *("server_id", "finished_at", "trump", "bouts", "seconds"),
            sqlite_where=text(GAME),
        ),
    )

    table_id: int = id_of("card_table", is_key=True)
    game: int = Field(primary_key=True)
    seat: int = Field(primary_key=True)
    server_id: int = id_of("server")
    player_id: int | None = id_of("player", is_optional=True)
    players: int
    people: int
    losers: int
    place: int | None
    is_loser: bool
    is_draw: bool
    points: int
    epaulettes: int
    finished_at: float
    trump: str = ""
    bouts: int = 0
    seconds: float = 0.0
    rating_change: float | None = None


class MessageSlotRow(Base, table=True):
    """Which message shows what; `reader` is empty for what everybody sees.

    `message` is empty, and `key` is not, while it is being posted.
    """

    __tablename__ = "surface"
    __table_args__ = BY_KEY

    table_id: int = id_of("card_table", is_key=True)
    game: int = Field(primary_key=True)
    kind: str = Field(primary_key=True)
    reader_platform: str = Field(primary_key=True)
    reader: str = Field(primary_key=True)
    platform: str
    message: str
    digest: str
    key: str = ""
