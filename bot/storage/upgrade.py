"""Finds and does the work that a database needs before this version can use it."""

from dataclasses import dataclass

import sqlalchemy as sa
from sqlmodel import Session

from bot.storage.migrations import differences, newest_step, step_of, steps_after, upgrade, why_unknown
from bot.storage.progress import Progress
from bot.storage.schema import Schema
from bot.storage.tallies import Uncounted, uncounted
from bot.storage.trouble import DatabaseUnusableError, name_of

STEPS_MADE = "steps made"
GAMES_COUNTED = "games counted"

# The table that marks the target of a move until all rows are there.
UNFINISHED_MOVE = "unfinished_move"

# The remedy if there are tables that are not in the schema.
NOT_OURS = "Use the version that made them; if the bot never did, move them into a separate database"

# The remedy if the tables aren't those of this version.
DIFFERS = "Restore the copy that was made before the upgrade, with the version that wrote it"


@dataclass(frozen=True, slots=True)
class Upgrade:
    """The work to be done before this version can use a database.

    Attributes:
        is_new: Whether there are no tables yet.
        steps: The steps to be made, the oldest first.
        servers: The servers whose games are to be counted; they are known once the steps are made.
    """

    is_new: bool
    steps: tuple[str, ...]
    servers: tuple[Uncounted, ...]

    @property
    def is_due(self) -> bool:
        """Whether there is work that takes time, or can't be undone."""
        return not self.is_new and bool(self.steps or self.servers)

    @property
    def games(self) -> int:
        """The number of games to be counted."""
        return sum(server.games for server in self.servers)


def find_upgrade(url: sa.URL, connection: sa.Connection) -> Upgrade:
    """Returns the work that is due.

    Raises:
        DatabaseUnusableError: Another version made the database, which this one can't bring up to date.
    """
    step = step_of(connection)
    if step and (why := why_unknown(step)):
        raise DatabaseUnusableError(f"{name_of(url)} {why}")

    steps = tuple(steps_after(step))
    if steps:
        return Upgrade(step is None, steps, ())

    with Session(connection) as session:
        return Upgrade(is_new=False, steps=(), servers=tuple(uncounted(session)))


def make_steps(steps: tuple[str, ...], progress: Progress, connection: sa.Connection) -> None:
    """Makes the steps that are due, inside the transaction of the connection."""
    count = 0

    def note_step() -> None:
        nonlocal count
        count += 1
        progress(STEPS_MADE, count, len(steps))

    progress(STEPS_MADE, 0, len(steps))
    upgrade(connection, on_step=note_step)


def check_tables(url: sa.URL, schema: Schema, connection: sa.Connection) -> None:
    """Checks that the database has no unknown tables, and that no move into it is unfinished.

    Raises:
        DatabaseUnusableError: It has unknown tables, or only a part of the moved rows.
    """
    if sa.inspect(connection).has_table(UNFINISHED_MOVE):
        raise DatabaseUnusableError(
            f"{name_of(url)} has only a part of the rows to be moved there: run `durak-bot move` again."
        )

    if unknown := schema.unknown(connection):
        raise DatabaseUnusableError(
            f"{name_of(url)} has tables that this version does not know: {', '.join(unknown)}. {NOT_OURS}."
        )


def examine(url: sa.URL, schema: Schema, connection: sa.Connection) -> None:
    """Compares the tables with those of this version, column by column, with Alembic.

    Raises:
        DatabaseUnusableError: They differ.
    """
    check_tables(url, schema, connection)
    if parts := differences(connection, schema):
        raise DatabaseUnusableError(
            f"{name_of(url)} does not have the tables of step {newest_step()}: {', '.join(parts)}. {DIFFERS}."
        )
