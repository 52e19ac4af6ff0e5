"""The tables that a database of this bot has."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session, col, delete

from bot.storage.models import Base

# The table of Alembic, with the step that a database is at.
STEP_TABLE = "alembic_version"


@dataclass(frozen=True, slots=True)
class PersonalRows:
    """Rows about people, which `/mydata` shows under a name, and `/forgetme` deletes.

    `person` is the column with the number of the person that a row is about. Rows that others still need have
    an `erase` of their own.
    """

    name: str
    person: Any
    erase: Callable[[Session, int], None] | None = None

    def forget(self, session: Session, person: int) -> None:
        """Removes a person from these rows, by `erase` if they have one."""
        if self.erase is None:
            session.exec(delete(self.person.class_).where(col(self.person) == person))
        else:
            self.erase(session, person)


def keep(_: Session, __: int) -> None:
    """Changes nothing: these rows refer to a person who is nameless from now on."""


@dataclass(frozen=True, slots=True)
class Schema:
    """The tables of all rows that were named, and no others, even if their models were imported.

    Comparing, moving and writing a step use it. `of_features` are the tables of features, `about_people` the
    rows among them that belong to a person.
    """

    models: sa.MetaData
    of_features: Sequence[sa.Table] = ()
    about_people: Sequence[PersonalRows] = ()

    @classmethod
    def of(
        cls,
        core: Iterable[type[Base]],
        features: Iterable[type[Base]] = (),
        about_people: Sequence[PersonalRows] = (),
    ) -> "Schema":
        """Returns the schema of the rows of the core and of features."""
        models = sa.MetaData(naming_convention=Base.metadata.naming_convention)
        for row in core:
            sa.inspect(row).local_table.to_metadata(models)

        of_features = [sa.inspect(row).local_table.to_metadata(models) for row in features]
        return cls(models, of_features, about_people)

    @property
    def tables(self) -> list[sa.Table]:
        """The tables, those that others refer to first."""
        return self.models.sorted_tables

    def unknown(self, connection: sa.Connection) -> list[str]:
        """Names the tables of a database that the schema does not name."""
        return sorted(set(sa.inspect(connection).get_table_names()) - {*self.models.tables, STEP_TABLE})
