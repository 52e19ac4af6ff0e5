"""Writes the next migration step."""

import sys

from bot.storage.migrations.writing import StepRefusedError, add_step
from bot.storage.models import Base

try:
    file = add_step(sys.argv[1], Base.metadata)
except StepRefusedError as refusal:
    sys.exit(str(refusal))

print(f"{file.name}: read it, then `python -m tests.regenerate steps` tries it on full tables and seals it.")
