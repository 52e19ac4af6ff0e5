"""Upgrades databases of version 0.1.0, which had its own steps, to the first step of today."""

from collections.abc import Mapping, Sequence

import sqlalchemy as sa

# The statements that lead from each of the last steps of version 0.1.0 to the next one, and to 0100.
BEFORE_THE_FIRST: Mapping[str, Sequence[str]] = {
    "0021": ("ALTER TABLE server ADD COLUMN teasing VARCHAR DEFAULT '' NOT NULL",),
    "0022": ("ALTER TABLE player ADD COLUMN private_messages BOOLEAN DEFAULT true NOT NULL",),
    "0023": (
        "ALTER TABLE surface RENAME TO message_slot",
        "ALTER TABLE card_table ADD COLUMN shown_at FLOAT",
        "ALTER TABLE card_table ADD COLUMN due_at FLOAT",
        "DROP TABLE idle_table",
    ),
}

# The commit that upgrades everything older to the last of those steps.
LAST_OF_0_1_0 = "822d826385a9"


def lead_to_first_step(connection: sa.Connection, step: str, first: str) -> None:
    """Brings the tables of version 0.1.0 to the first step of today."""
    for older, statements in BEFORE_THE_FIRST.items():
        if older >= step:
            for statement in statements:
                connection.exec_driver_sql(statement)

    connection.execute(sa.text("UPDATE alembic_version SET version_num = :first"), {"first": first})
