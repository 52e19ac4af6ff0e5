"""How the database's tables came to be what they are: one step for each change, applied at every start.

`python -m bot.storage.migrations "add what to what"` writes the next step from the difference between the
models and the steps so far; read it before you commit it.
"""

from bot.storage.migrations.steps import known_steps, newer_version, newest_step
from bot.storage.migrations.upgrading import upgrade

__all__ = ["known_steps", "newer_version", "newest_step", "upgrade"]
