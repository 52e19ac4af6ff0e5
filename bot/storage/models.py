"""The rows of the database. The journal (`EntryRow`) is the source of truth about games."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import sqlalchemy as sa
from sqlmodel import Field, Relationship, SQLModel

from adapters.port import ServerRef, UserRef
from bot.model.rating import Rating

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql, sqlite

# Selects one result of each game that counts: that of its first seat.
GAME = "seat = 0 AND people >= 2"

# Selects one result of each game.
FIRST_SEAT = "seat = 0"

# Selects the results of games with cheating.
HAD_CHEATING = "cheats_unseen IS NOT NULL"

# Selects the tables of which a room has at most one.
ROOMS_OWN = "phase IN ('lobby', 'playing') AND cup_id IS NULL"

STOPPED = "stopped <> ''"  # selects tables at which the newest game was stopped

# Stores SQLite's rows within the primary key (WITHOUT ROWID), so that keys are not stored twice.
BY_KEY: dict[str, Any] = {"sqlite_with_rowid": False}


# A row id of 64 bits. SQLite assigns ids only to columns declared as INTEGER.
ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


class Base(SQLModel):
    """The base of all models; names their constraints, so that migrations can refer to them."""

    model_config = {"defer_build": True}  # rows are not validated, so build no validators

    metadata: ClassVar[sa.MetaData] = sa.MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


# --- servers and people -----------------------------------------------------------------------------------


class ServerRow(Base, table=True):
    """A community with one leaderboard, and its moderators' choices (empty: none made).

    `preset` is the default preset, and `locale` the language of its tables; its weeks begin in `time_zone`
    (an IANA name). The other choices are those of `ServerChoices`.
    """

    __tablename__ = "server"
    __table_args__ = (sa.UniqueConstraint("platform", "ref"),)

    id: int = Field(default=None, primary_key=True, sa_type=ID)
    platform: str
    ref: str
    preset: str = ""
    locale: str = ""
    time_zone: str = ""
    view: str = ""
    style: str = ""
    quiet: str = ""
    worn: str = ""
    pins: str = ""
    pins_by: str = ""
    home: str = ""
    home_topic: str = ""
    home_by: str = ""
    home_closed: str = ""
    week_until: float | None = None  # the end of the newest week that was posted

    @property
    def server_ref(self) -> ServerRef:
        """The server."""
        return ServerRef(self.platform, self.ref)


class ServerChoiceRow(Base, table=True):
    """A server's choice about a feature."""

    __tablename__ = "server_choice"

    server_id: int = Field(foreign_key="server.id", primary_key=True, sa_type=ID)
    name: str = Field(primary_key=True)
    value: str


class VariationRow(Base, table=True):
    """Rules that a server has given its own name."""

    __tablename__ = "variation"

    server_id: int = Field(foreign_key="server.id", primary_key=True, sa_type=ID)
    name: str = Field(primary_key=True)
    rules: str


class CallRateRow(Base, table=True):
    """The number of calls a second that a platform was found to accept."""

    __tablename__ = "call_rate"

    platform: str = Field(primary_key=True)
    calls: int


class AppointmentRow(Base, table=True):
    """Something due on a server at a given time: an `Appointment`."""

    __tablename__ = "appointment"

    server_id: int = Field(foreign_key="server.id", primary_key=True, sa_type=ID)
    kind: str = Field(primary_key=True)
    about: str = Field(default="", primary_key=True)
    at: float = Field(index=True)
    room: str = ""
    topic: str = ""


class BadgeRow(Base, table=True):
    """The badge of a server's fool: a `BadgeState`."""

    __tablename__ = "badge"

    server_id: int = Field(foreign_key="server.id", primary_key=True, sa_type=ID)
    badge: str = ""
    admin_id: int | None = Field(default=None, foreign_key="player.id", sa_type=ID)
    reported: str = ""


class WearerRow(Base, table=True):
    """A wearer of the bot's mark on a server: a `Wearer`."""

    __tablename__ = "wearer"

    server_id: int = Field(foreign_key="server.id", primary_key=True, sa_type=ID)
    player_id: int = Field(foreign_key="player.id", primary_key=True, sa_type=ID)
    mark: str
    before: str = ""
    former: str = ""
    is_done: bool = False


class PlayerRow(Base, table=True):
    """A person; `reachable` is whether a message to them arrived (None: never tried).

    `name` is their newest name anywhere; their name on each server is a `NicknameRow`. `handle` is their
    unique name in the chat, such as `clara_u`; `locale` is the language that their chat reports. The other
    columns are their choices, as in `Profile` (empty: none made).
    """

    __tablename__ = "player"
    __table_args__ = (sa.UniqueConstraint("platform", "ref"),)

    id: int = Field(default=None, primary_key=True, sa_type=ID)
    platform: str
    ref: str
    name: str = ""
    handle: str = Field(default="", index=True)
    locale: str = ""
    language: str = ""
    hand_order: str = ""
    reachable: bool | None = None
    calling: str = ""
    company: bool = False
    one_tap: bool = False
    wears_mark: bool = True
    shows_portrait: bool = True

    @property
    def user_ref(self) -> UserRef:
        """The person."""
        return UserRef(self.platform, self.ref)


class NicknameRow(Base, table=True):
    """The name of a person on a server."""

    __tablename__ = "nickname"

    player_id: int = Field(foreign_key="player.id", primary_key=True, sa_type=ID)
    server_id: int = Field(foreign_key="server.id", primary_key=True, sa_type=ID)
    name: str


# --- tables and their games -------------------------------------------------------------------------------


KEPT = -2  # `of_game` of a kept seat, which belongs to no game


class SeatRow(Base, table=True):
    """A player at a table, in its current game (`of_game` is the table's game) or in the one before.

    A house player has no `player_id`. `of_game` is `KEPT` if the seat is kept for a person whom somebody
    invited. `is_called` is whether the room's call to the table mentions them (None: not decided yet).
    """

    __tablename__ = "seat"
    __table_args__ = BY_KEY

    table_id: int = Field(foreign_key="card_table.id", primary_key=True, sa_type=ID)
    of_game: int = Field(primary_key=True)
    seat: int = Field(primary_key=True)
    player_id: int | None = Field(default=None, foreign_key="player.id", index=True, sa_type=ID)
    name: str
    joined: str = ""
    has_left: bool = False
    kept_until: float = 0.0
    inviter_id: int | None = Field(default=None, foreign_key="player.id", sa_type=ID)
    is_called: bool | None = None

    player: PlayerRow | None = Relationship(
        sa_relationship_kwargs={"lazy": "joined", "foreign_keys": "SeatRow.player_id"}
    )
    inviter: PlayerRow | None = Relationship(sa_relationship_kwargs={"foreign_keys": "SeatRow.inviter_id"})


class TableRow(Base, table=True):
    """A table with its lobby; `seed` is secret until the game it deals is over.

    `house_rules` is set if `preset` names a variation of the server. `stopped` is the `Stop` of the newest
    game, if it was not played to its end. A room has at most one table in the lobby or in play, besides
    tables of a series (`cup_id`), each of which plays one round.

    `shown_at` is when the chats were found to show all of the table (None: something may be missing). From
    then on, unless somebody presses a button, there is nothing to do before `due_at` (None: ever).
    `waits_since` is when the people it was waiting for had seen the newest move (None: it waited for nobody).
    """

    __tablename__ = "card_table"
    __table_args__ = (
        sa.Index(
            "uq_card_table_room_in_use",
            "server_id",
            "room",
            "topic",
            unique=True,
            sqlite_where=sa.text(ROOMS_OWN),
        ),
        sa.Index("ix_card_table_cup_id", "cup_id"),
        sa.Index("ix_card_table_phase_changed_at", "phase", "changed_at"),
        sa.Index("ix_card_table_room", "server_id", "room", "topic"),
        sa.Index("ix_card_table_stopped", "server_id", "changed_at", sqlite_where=sa.text(STOPPED)),
        {"sqlite_autoincrement": True},  # old buttons contain table ids, so no id is ever reused
    )

    id: int = Field(default=None, primary_key=True, sa_type=ID)
    server_id: int = Field(foreign_key="server.id", sa_type=ID)
    room: str
    topic: str
    opener_id: int = Field(foreign_key="player.id", index=True, sa_type=ID)
    preset: str
    rules: str
    house_rules: str | None = None
    seed: str = Field(repr=False)
    opened_at: float
    changed_at: float
    shown_at: float | None = None
    due_at: float | None = None
    waits_since: float | None = None
    phase: str
    game: int
    auto_done: bool = True  # a choice of earlier versions, no longer read
    clock: int
    throw_in_seconds: int | None = None
    strength: str = "regular"
    is_paused: bool = False
    hints: bool = True
    stopped: str = ""
    starts_at: float | None = None
    has_called: bool = False
    locale: str
    cup_id: int | None = Field(default=None, sa_type=ID)
    cup_round: int = 0

    server: ServerRow = Relationship(sa_relationship_kwargs={"lazy": "joined"})
    opener: PlayerRow = Relationship(sa_relationship_kwargs={"lazy": "joined"})
    seats: list[SeatRow] = Relationship(
        cascade_delete=True, sa_relationship_kwargs={"order_by": "SeatRow.seat"}
    )


class EntryRow(Base, table=True):
    """A line of the journal."""

    __tablename__ = "entry"
    __table_args__ = BY_KEY

    table_id: int = Field(foreign_key="card_table.id", primary_key=True, sa_type=ID)
    version: int = Field(primary_key=True)
    game: int
    seat: int | None
    text: str = Field(repr=False)
    author: str | None
    at: float


class SnapshotRow(Base, table=True):
    """The position after a table's newest entry, against which the journal is checked."""

    __tablename__ = "snapshot"

    table_id: int = Field(foreign_key="card_table.id", primary_key=True, sa_type=ID)
    text: str = Field(repr=False)


class ReplayLinkRow(Base, table=True):
    """The secret in the link to a finished game, present once an earlier link was withdrawn."""

    __tablename__ = "replay_link"
    __table_args__ = BY_KEY

    table_id: int = Field(foreign_key="card_table.id", primary_key=True, sa_type=ID)
    game: int = Field(primary_key=True)
    secret: str = Field(repr=False)


class MessageSlotRow(Base, table=True):
    """The message in a slot of a table; `reader` is empty if it is public.

    While it is being posted, `message` is empty and `key` is set.
    """

    __tablename__ = "message_slot"
    __table_args__ = BY_KEY

    table_id: int = Field(foreign_key="card_table.id", primary_key=True, sa_type=ID)
    game: int = Field(primary_key=True)
    kind: str = Field(primary_key=True)
    reader_platform: str = Field(primary_key=True)
    reader: str = Field(primary_key=True)
    platform: str
    message: str
    digest: str
    key: str = ""
    is_pinned: bool = False


class FeatureMessageRow(Base, table=True):
    """The message in a slot of a feature's subject on a server; compare `MessageSlotRow`."""

    __tablename__ = "feature_message"
    __table_args__ = BY_KEY

    subject: str = Field(primary_key=True)
    number: int = Field(primary_key=True, sa_type=ID)
    part: str = Field(primary_key=True)
    reader_platform: str = Field(primary_key=True)
    reader: str = Field(primary_key=True)
    server_id: int = Field(foreign_key="server.id", sa_type=ID)
    platform: str
    message: str
    digest: str
    key: str = ""
    is_pinned: bool = False


class OutdatedRow(Base, table=True):
    """A feature's subject that may have outdated messages.

    Each change increments `changes`; the row is deleted only once the newest change is shown.
    """

    __tablename__ = "outdated"
    __table_args__ = BY_KEY

    subject: str = Field(primary_key=True)
    number: int = Field(primary_key=True, sa_type=ID)
    changes: int = 0


# --- results, and tallies of them ----------------------------------------------------------------


class ResultRow(Base, table=True):
    """The result of one seat in one finished game.

    `player_id` is None for a house player, `place` None for a player still holding cards. `players` counts
    all seats, `people` those of people, `losers` those that lost together. `trump`, `bouts` and `seconds`
    describe the game; `rating_change` is the change in the person's rating, once they have one. `strength`
    is how well a house player really played, `most_held` the most cards held at once. `preset` is the preset
    with the rules of the game (empty: none; None: a game of an earlier version that counts for nobody),
    `level` the seat's rank on the ladder of epaulettes when the game began.

    Where cheating was on, `cheats_unseen` and `cheats_caught` are those of the seat, `catches` those of
    others at which it pointed, and `ghosts` how often it was wrong; elsewhere all are None.
    """

    __tablename__ = "result"
    __table_args__ = (
        sa.Index("ix_result_server_id_finished_at", "server_id", "finished_at"),
        sa.Index(
            "ix_result_player_id_server_id_finished_at",
            *("player_id", "server_id", "finished_at"),
        ),
        sa.Index(
            "ix_result_first_seat",
            *("server_id", "finished_at", "trump", "bouts", "seconds"),
            sqlite_where=sa.text(GAME),
        ),
        sa.Index(
            "ix_result_ended",
            "finished_at",
            sqlite_where=sa.text(FIRST_SEAT),
        ),
        sa.Index(
            "ix_result_cheating",
            *("server_id", "player_id", "finished_at"),
            sqlite_where=sa.text(HAD_CHEATING),
        ),
    )

    table_id: int = Field(foreign_key="card_table.id", primary_key=True, sa_type=ID)
    game: int = Field(primary_key=True)
    seat: int = Field(primary_key=True)
    server_id: int = Field(foreign_key="server.id", sa_type=ID)
    player_id: int | None = Field(default=None, foreign_key="player.id", sa_type=ID)
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
    strength: str = ""
    most_held: int = 0
    preset: str | None = None
    level: int = 0
    cheats_unseen: int | None = None
    cheats_caught: int | None = None
    catches: int | None = None
    ghosts: int | None = None


class TallyBase(Base):
    """A person's sums over the games of a server that count."""

    server_id: int = Field(foreign_key="server.id", primary_key=True, sa_type=ID)
    player_id: int = Field(foreign_key="player.id", primary_key=True, sa_type=ID)
    games: int = 0
    fools: int = 0
    draws: int = 0
    first_out: int = 0
    expected: float = 0.0
    epaulettes: int = 0
    points: int = 0


class TallyRow(TallyBase, table=True):
    """A person's tally of all games.

    `strength` and `doubt` are their rating. The other columns are those of `Career`: `form` has one letter
    for each result, and `presets_lost` separates names by spaces.
    """

    __tablename__ = "tally"

    strength: float = Rating().strength
    doubt: float = Rating().doubt
    form: str = ""
    fool_streak: int = 0
    safe_streak: int = 0
    longest_safe_streak: int = 0
    houses_beaten: int = 0
    presets_lost: str = ""


class TitleRow(Base, table=True):
    """A title that a person has on a server, and the game that brought it."""

    __tablename__ = "title"
    __table_args__ = (sa.Index("ix_title_table_id_game", "table_id", "game"), BY_KEY)

    server_id: int = Field(foreign_key="server.id", primary_key=True, sa_type=ID)
    player_id: int = Field(foreign_key="player.id", primary_key=True, sa_type=ID)
    title: str = Field(primary_key=True)
    table_id: int = Field(foreign_key="card_table.id", sa_type=ID)
    game: int


class MonthTallyRow(TallyBase, table=True):
    """A person's tally of a month, numbered as by `month_of`."""

    __tablename__ = "month_tally"
    __table_args__ = (sa.PrimaryKeyConstraint("server_id", "month", "player_id"), BY_KEY)

    month: int = Field(primary_key=True)


class MonthGamesRow(Base, table=True):
    """The number of a month's games with one trump suit, and their total length."""

    __tablename__ = "month_games"
    __table_args__ = BY_KEY

    server_id: int = Field(foreign_key="server.id", primary_key=True, sa_type=ID)
    month: int = Field(primary_key=True)
    trump: str = Field(primary_key=True)
    games: int
    bouts: int
    seconds: float


class DuelBase(Base):
    """The sums of the games that two people played together; `one_id` is the smaller id.

    `decided` counts the games in which one of them was the fool and the other was not.
    """

    server_id: int = Field(foreign_key="server.id", primary_key=True, sa_type=ID)
    one_id: int = Field(foreign_key="player.id", primary_key=True, sa_type=ID)
    other_id: int = Field(foreign_key="player.id", primary_key=True, sa_type=ID)
    games: int = 0
    one_fools: int = 0
    other_fools: int = 0
    decided: int = 0


class DuelRow(DuelBase, table=True):
    """All games of two people."""

    __tablename__ = "duel"
    __table_args__ = (sa.Index("ix_duel_server_id_decided", "server_id", "decided"),)


class YearDuelRow(DuelBase, table=True):
    """The games of two people in a year."""

    __tablename__ = "year_duel"
    __table_args__ = (
        sa.PrimaryKeyConstraint("server_id", "year", "one_id", "other_id"),
        sa.Index("ix_year_duel_server_id_year_decided", "server_id", "year", "decided"),
        BY_KEY,
    )

    year: int = Field(primary_key=True)


class CardGameRow(Base, table=True):
    """A game with real cards, entered by a person or from a file; it counts once it is confirmed.

    Games entered together share a `batch`: the id of the first. If they are taken back, the first row stays
    for a while without seats, for the daily limit on entries. `month_first_at` is when a file's game was
    played if its dates have the month first; it is kept until the order is known.
    """

    __tablename__ = "card_game"
    __table_args__ = (
        sa.Index("ix_card_game_server_id_played_at", "server_id", "played_at"),
        {"sqlite_autoincrement": True},  # old buttons contain these ids, so no id is ever reused
    )

    id: int = Field(default=None, primary_key=True, sa_type=ID)
    server_id: int = Field(foreign_key="server.id", sa_type=ID)
    batch: int = Field(default=0, index=True, sa_type=ID)
    played_at: float
    entered_at: float
    entered_by: int = Field(foreign_key="player.id", sa_type=ID)
    players: int
    counts: bool = False
    is_file: bool = False
    month_first_at: float | None = None


class CardSeatRow(Base, table=True):
    """A player of a game with real cards, their confirmation, and when they were notified as its fool."""

    __tablename__ = "card_seat"
    __table_args__ = BY_KEY

    card_game_id: int = Field(foreign_key="card_game.id", primary_key=True, sa_type=ID)
    player_id: int = Field(foreign_key="player.id", primary_key=True, index=True, sa_type=ID)
    is_fool: bool = False
    confirms: bool = False
    notified_at: float | None = None


class RingRow(Base, table=True):
    """The last call of a person from a server, with its subject, and whether they muted such calls."""

    __tablename__ = "ring"

    player_id: int = Field(foreign_key="player.id", primary_key=True, sa_type=ID)
    server_id: int = Field(foreign_key="server.id", primary_key=True, sa_type=ID)
    rang_at: float = 0.0
    about: str = ""
    is_muted: bool = False


class CallRow(Base, table=True):
    """A wish to be called once, before `until`, when a game gathers in a room.

    `table_id` and `game` are the game at which they asked, which does not call them. `is_promised` is
    whether they were promised the call in private.
    """

    __tablename__ = "call"

    player_id: int = Field(foreign_key="player.id", primary_key=True, sa_type=ID)
    server_id: int = Field(foreign_key="server.id", primary_key=True, sa_type=ID)
    room: str = Field(primary_key=True)
    topic: str = Field(primary_key=True)
    until: float
    table_id: int = Field(sa_type=ID)
    game: int
    is_promised: bool = True


# --- the chat page ----------------------------------------------------------------------------------------


class GuestRow(Base, table=True):
    """A guest of the local page; `seen_at` is their last visit. At most one is the owner."""

    __tablename__ = "guest"

    id: str = Field(primary_key=True)
    name: str
    secret_hash: str = Field(unique=True, repr=False)
    joined_at: float
    seen_at: float
    is_owner: bool = False


class MessageRow(Base, table=True):
    """A message on the local page; without a guest it is public in the room."""

    __tablename__ = "message"
    __table_args__ = (
        sa.Index("ix_message_room_guest_id", "room", "guest_id", "id"),
        sa.Index("ix_message_key", "key", unique=True),
        {"sqlite_autoincrement": True},  # no id is ever reused
    )

    id: int = Field(default=None, primary_key=True, sa_type=ID)
    room: str
    guest_id: str | None
    kind: str
    content: dict[str, Any] = Field(sa_type=sa.JSON, repr=False)
    posted_at: float
    key: str | None = None


class MessageFileRow(Base, table=True):
    """A picture or a document of a message on the page, deleted with the message."""

    __tablename__ = "message_file"

    message_id: int = Field(foreign_key="message.id", ondelete="CASCADE", primary_key=True, sa_type=ID)
    digest: str = Field(primary_key=True)
    content: bytes = Field(repr=False)


# The rows of the bot itself, without those of its features.
CORE_ROWS: tuple[type[Base], ...] = (
    ServerRow,
    ServerChoiceRow,
    VariationRow,
    CallRateRow,
    AppointmentRow,
    BadgeRow,
    WearerRow,
    PlayerRow,
    NicknameRow,
    SeatRow,
    TableRow,
    EntryRow,
    SnapshotRow,
    ReplayLinkRow,
    MessageSlotRow,
    FeatureMessageRow,
    OutdatedRow,
    ResultRow,
    TallyRow,
    TitleRow,
    MonthTallyRow,
    MonthGamesRow,
    DuelRow,
    YearDuelRow,
    CardGameRow,
    CardSeatRow,
    RingRow,
    CallRow,
    GuestRow,
    MessageRow,
    MessageFileRow,
)


# --- writing without reading first ------------------------------------------------------------------------

# An INSERT statement that supports ON CONFLICT.
Insert: TypeAlias = "sqlite.Insert | postgresql.Insert"


@lru_cache
def insert(model: type[Base], dialect: str) -> Insert:
    """Returns an INSERT statement for a model, loading only the dialect in use."""
    begun: Insert = import_module(f"sqlalchemy.dialects.{dialect}").insert(sa.inspect(model).local_table)
    return begun


def upserting(statement: Insert, model: type[Base]) -> Insert:
    """Returns the statement with an upsert that overwrites a row with the same key."""
    others = [column.name for column in sa.inspect(model).columns if not column.primary_key]
    return _at_its_key(statement, model, {name: statement.excluded[name] for name in others})


def put(connection: sa.Connection, model: type[Base], row: Mapping[str, Any]) -> None:
    """Inserts a row, or overwrites the one with its key, without reading it first."""
    connection.execute(_putting(model, connection.dialect.name), row)


def put_all(
    connection: sa.Connection,
    model: type[Base],
    rows: Sequence[Mapping[str, Any]],
    names: Sequence[str] = (),
) -> None:
    """Inserts rows, or overwrites those with their keys: all columns, or only `names` if given."""
    statement = _putting(model, connection.dialect.name)
    if names:
        own = insert(model, connection.dialect.name)
        statement = _at_its_key(own, model, {name: own.excluded[name] for name in names})

    _execute_at_once(connection, statement, model, rows)


def add_all(connection: sa.Connection, model: type[Base], rows: Sequence[Mapping[str, Any]]) -> None:
    """Inserts rows."""
    _execute_at_once(connection, insert(model, connection.dialect.name), model, rows)


def add_missing(connection: sa.Connection, model: type[Base], rows: Sequence[Mapping[str, Any]]) -> None:
    """Inserts the rows with keys that do not exist yet."""
    statement = insert(model, connection.dialect.name).on_conflict_do_nothing()
    _execute_at_once(connection, statement, model, rows)


def _execute_at_once(
    connection: sa.Connection, statement: Insert, model: type[Base], rows: Sequence[Mapping[str, Any]]
) -> None:
    """Writes all rows with one statement; SQLAlchemy does that only if the statement returns something."""
    if len(rows) == 1:
        connection.execute(statement, rows[0])
    elif rows:
        key = sa.inspect(model).primary_key[0]
        connection.execute(statement.returning(key), rows).close()


@lru_cache
def _putting(model: type[Base], dialect: str) -> Insert:
    return upserting(insert(model, dialect), model)


def adding(statement: Insert, model: type[Base], names: Iterable[str], others: Iterable[str] = ()) -> Insert:
    """Returns the statement with an upsert that adds the named columns to those of the row with its key.

    It overwrites the `others`.
    """
    columns = sa.inspect(model).columns
    sums = {name: columns[name] + statement.excluded[name] for name in names}
    return _at_its_key(statement, model, sums | {name: statement.excluded[name] for name in others})


def _at_its_key(statement: Insert, model: type[Base], values: Mapping[str, Any]) -> Insert:
    keys = [column.name for column in sa.inspect(model).primary_key]
    return statement.on_conflict_do_update(index_elements=keys, set_=values)
