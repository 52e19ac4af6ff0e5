"""The tables that a database of this bot has."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from bot.storage.models import Base
from bot.storage.personal_rows import PersonalRows

# Alembic's table, with the step that a database is at.
STEP_TABLE = "alembic_version"


@dataclass(frozen=True, slots=True)
class Schema:
    """The tables of the given rows only, whatever other models were imported.

    Used to compare and move databases, and to write steps. `of_features` are the tables of features,
    `about_people` the rows in them that belong to a person.
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
        """The tables, each after those it refers to."""
        return self.models.sorted_tables

    def unknown(self, connection: sa.Connection) -> list[str]:
        """Returns the names of the tables of a database that are not in the schema."""
        return sorted(set(sa.inspect(connection).get_table_names()) - {*self.models.tables, STEP_TABLE})
