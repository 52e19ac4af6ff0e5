"""`durak-bot move`: moves everything from an SQLite file into PostgreSQL."""

import asyncio
from argparse import ArgumentParser, Namespace
from urllib.parse import quote

from bot.process.logs import configure_logs, tell_owner
from bot.process.progress import Display
from bot.process.subcommands import Subcommand
from bot.storage import Schema
from bot.storage.move import move


def move_command(schema: Schema) -> Subcommand:
    """Returns the command, which moves the tables of a schema."""

    def run(arguments: Namespace) -> int:
        configure_logs("info", "text")
        rows = asyncio.run(move(_address(arguments.sqlite), arguments.postgresql, schema, Display()))
        tell_owner(
            f"All {rows:,} rows were moved and compared: set DURAK_DATABASE_URL to the new address, and "
            "start the bot. The file stays as it was."
        )
        return 0

    return Subcommand("move", "move everything from an SQLite file into PostgreSQL", _add_arguments, run)


def _address(text: str) -> str:
    """Returns the address of a database file, which may be given as a path."""
    return text if "://" in text else f"sqlite+aiosqlite:///{quote(text)}"


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("sqlite", metavar="SQLITE", help="the file, such as durak.db")
    parser.add_argument(
        "postgresql", metavar="POSTGRESQL", help="the address of an empty database, as in DURAK_DATABASE_URL"
    )
