"""Forgotten people, and hashes of the presses that salt a deal."""

from hashlib import sha256

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"

PLAYER = sa.table("player", sa.column("platform", sa.String()), sa.column("ref", sa.String()))
SURFACE = sa.table("surface", sa.column("reader", sa.String()))
GUEST = sa.table("guest", sa.column("name", sa.String()))
SEAT = sa.table("seat", sa.column("joined", sa.String()))


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    connection = op.get_bind()
    forgotten = PLAYER.c.ref.like("forgotten-%")
    connection.execute(sa.update(PLAYER).where(forgotten).values(platform="forgotten"))
    connection.execute(sa.delete(SURFACE).where(SURFACE.c.reader.like("forgotten-%")))
    connection.execute(sa.delete(GUEST).where(GUEST.c.name == "–"))
    for (event,) in connection.execute(sa.select(SEAT.c.joined).where(SEAT.c.joined != "").distinct()).all():
        trace = sha256(event.encode()).hexdigest()[:32]
        connection.execute(sa.update(SEAT).where(SEAT.c.joined == event).values(joined=trace))
