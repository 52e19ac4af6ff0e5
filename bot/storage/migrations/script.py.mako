"""${message.capitalize()}."""

import sqlalchemy as sa
from alembic import op

revision = "${up_revision}"
down_revision = ${repr(down_revision).replace("'", '"')}


def upgrade() -> None:
    """Applies the step; only a backup can undo it."""
    ${upgrades if upgrades else "pass"}
