"""`durak-bot backup` and `durak-bot restore`."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from bot.config import read_settings
from bot.process.logs import tell_owner
from bot.process.subcommands import Subcommand
from bot.storage import back_up, restore
from bot.storage.backups import DAYS, back_up_into


def _run_backup(arguments: Namespace) -> int:
    if arguments.into is not None:
        backup = back_up_into(read_settings().database_url, arguments.into, arguments.keep)
        tell_owner(f"{backup} is a sound backup.")
        return 0

    copy = back_up(read_settings().database_url, arguments.file)
    tell_owner(f"{arguments.file} is a sound backup; tables: {copy.tables}, finished games: {copy.games}.")
    return 0


def _run_restore(arguments: Namespace) -> int:
    old_file = restore(read_settings().database_url, arguments.file)
    before = "" if old_file is None else f" What was there before is kept in {old_file}."
    tell_owner(f"{arguments.file} is in place: start the bot again.{before}")
    return 0


def _add_file_to_make(parser: ArgumentParser) -> None:
    place = parser.add_mutually_exclusive_group(required=True)
    place.add_argument("file", type=Path, nargs="?", help="the file to make")
    place.add_argument("--into", type=Path, metavar="FOLDER", help="a folder for one backup each day")
    parser.add_argument(
        "--keep",
        type=int,
        default=DAYS,
        metavar="DAYS",
        help="days that are kept there, beside four weeks",
    )


def _add_backup(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="a file that `backup` made")


BACKUP = Subcommand(
    "backup", "copy the database to a new file, also while the bot runs", _add_file_to_make, _run_backup
)
RESTORE = Subcommand(
    "restore", "put a backup in its place, while the bot does not run", _add_backup, _run_restore
)
