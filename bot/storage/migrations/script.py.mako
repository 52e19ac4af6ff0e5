"""${message.capitalize()}."""

import sqlalchemy as sa
from alembic import op

revision = "${up_revision}"
down_revision = ${repr(down_revision).replace("'", '"')}


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    ${upgrades if upgrades else "pass"}
