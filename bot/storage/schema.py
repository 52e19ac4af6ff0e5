"""The tables of the bot's database."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import sqlalchemy as sa
from sqlalchemy.schema import sort_tables

from bot.storage.models import Base
from bot.storage.personal_rows import PersonalRows

# Alembic's table, with the current step of a database.
STEP_TABLE = "alembic_version"


@dataclass(frozen=True)
class Schema:
    """The tables of the given rows only, regardless of other imported models.

    Each table comes after those it refers to. `of_features` are the tables of features, `about_people` the
    rows in them that belong to a person.
    """

    tables: Sequence[sa.Table]
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
        of_core = [sa.inspect(row).local_table for row in core]
        of_features = [sa.inspect(row).local_table for row in features]
        return cls(sort_tables([*of_core, *of_features]), of_features, about_people)

    @cached_property
    def models(self) -> sa.MetaData:
        """Copies of the tables, to compare databases with and to write steps from."""
        models = sa.MetaData(naming_convention=Base.metadata.naming_convention)
        for table in self.tables:
            table.to_metadata(models)

        return models

    def unknown(self, connection: sa.Connection) -> list[str]:
        """Returns the names of the tables of a database that are not in the schema."""
        return sorted(
            set(sa.inspect(connection).get_table_names())
            - {*(table.name for table in self.tables), STEP_TABLE}
        )
