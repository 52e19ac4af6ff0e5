"""Find tables by their phase and the time of their last change."""

from alembic import op

revision = "0116"
down_revision = "0115"


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    op.drop_index("ix_card_table_phase", "card_table")
    op.create_index("ix_card_table_phase_changed_at", "card_table", ["phase", "changed_at"])
