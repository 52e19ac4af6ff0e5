"""Files of messages."""

from base64 import b64decode
from hashlib import blake2b
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"

MESSAGE = sa.table("message", sa.column("id", sa.BigInteger()), sa.column("content", sa.JSON()))
WIDTH, HEIGHT = slice(16, 20), slice(20, 24)  # of a PNG


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    files = op.create_table(
        "message_file",
        sa.Column("message_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["message_id"],
            ["message.id"],
            name=op.f("fk_message_file_message_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("message_id", "digest", name=op.f("pk_message_file")),
    )
    connection = op.get_bind()
    for number in connection.execute(sa.select(MESSAGE.c.id)).scalars().all():
        row = MESSAGE.c.id == number
        content = connection.execute(sa.select(MESSAGE.c.content).where(row)).scalar_one()
        moved = _moved_out(content)
        if moved:
            connection.execute(sa.update(MESSAGE).where(row).values(content=content))
            rows = [{"message_id": number, "digest": each, "content": file} for each, file in moved.items()]
            connection.execute(sa.insert(files), rows)


def _moved_out(content: dict[str, Any]) -> dict[str, bytes]:
    """Take the files out of a content, and leave in it what stands for them."""
    moved = {}
    if picture := content.get("picture"):
        png = b64decode(picture.pop("png"))
        picture |= {"width": int.from_bytes(png[WIDTH]), "height": int.from_bytes(png[HEIGHT])}
        picture["digest"] = _digest(png)
        moved[picture["digest"]] = png
    if document := content.get("document"):
        file = b64decode(document.pop("file"))
        document["digest"] = _digest(file)
        moved[document["digest"]] = file
    return moved


def _digest(file: bytes) -> str:
    return blake2b(file, digest_size=16).hexdigest()
