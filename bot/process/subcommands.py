"""The commands of `durak-bot`, each in its own module; `bot/start.py` registers them."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Subcommand:
    """A command in a terminal: it reads the settings itself, and returns an exit code."""

    name: str
    summary: str
    add_arguments: Callable[[ArgumentParser], None]
    run: Callable[[Namespace], int]
