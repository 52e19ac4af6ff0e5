"""Everything around the game: from here on, no database lacks a part of step 0101.

That step was changed after databases had gone through it. `bot.storage.migrations.completion` adds what they
lack before this one is made.
"""

revision = "0108"
down_revision = "0107"


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
