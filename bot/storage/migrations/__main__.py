"""Writes the next migration step."""

import sys

from bot.storage.migrations import add_step

add_step(sys.argv[1])
