"""The words that can follow `durak-bot`: none starts the bot."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from bot.storage import BackupFailedError, DatabaseUnusableError, back_up, restore


class CommandFailedError(Exception):
    """What was asked for could not be done; the message is one sentence."""


def read_arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line: `command` is None, "backup" or "restore"; the latter two have a `file`."""
    parser = argparse.ArgumentParser(
        prog="durak-bot", description="Durak in your chat. Without a command, runs the bot."
    )
    commands = parser.add_subparsers(dest="command", metavar="backup | restore")
    backup = commands.add_parser("backup", help="copy the database to a new file, also while the bot runs")
    backup.add_argument("file", type=Path, help="the file to make")
    back = commands.add_parser("restore", help="put a backup in its place, while the bot does not run")
    back.add_argument("file", type=Path, help="a file that `backup` made")
    return parser.parse_args(words)


def run_command(command: str, file: Path, database_url: str) -> str:
    """Do what a command says; give a sentence about what was done.

    Raises:
        CommandFailedError: It could not be done; nothing was changed.
    """
    try:
        if command == "backup":
            found = back_up(database_url, file)
            return f"{file} is a sound backup; tables: {found.tables}, finished games: {found.games}."
        kept = restore(database_url, file)
    except (BackupFailedError, DatabaseUnusableError) as error:
        raise CommandFailedError(str(error)) from error
    before = "" if kept is None else f" What was there before is kept in {kept}."
    return f"{file} is in place: start the bot again.{before}"
