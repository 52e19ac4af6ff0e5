"""Tries steps on a database with rows in each table, like those that people have."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool
from sqlmodel import Session, select
from sqlmodel.main import default_registry

from bot.app import SCHEMA
from bot.storage import Database
from bot.storage.migrations import upgrade
from tests.bot.storage.full_tables import fill

T = TypeVar("T")


async def try_steps(url: str, landed: str, steps: Sequence[str]) -> None:
    """Brings an empty database to a landed step, fills it, and applies the later steps one by one.

    A table added by one of them also gets rows before the next step is applied. Afterwards this version has
    to open the database, find the tables it expects, and read each row.
    """
    for step in (landed, *steps):
        await run(url, partial(make_step, step=step))

    database = Database(url, SCHEMA)
    try:
        await database.open()
        await database.examine()
        await database.read(read_every_row)
    finally:
        await database.close()


def make_step(connection: sa.Connection, step: str) -> None:
    """Makes the steps up to one, and fills the tables that have no rows."""
    upgrade(connection, to=step)
    fill(connection)


async def run(url: str, work: Callable[[sa.Connection], T]) -> T:
    """Returns the result of work on a database, in a transaction."""
    engine = create_async_engine(url, poolclass=NullPool)
    try:
        async with engine.begin() as connection:
            return await connection.run_sync(work)
    finally:
        await engine.dispose()


def read_every_row(session: Session) -> None:
    """Reads each row by its model, and checks that it refers to rows that are there."""
    of_the_bot = [each for each in default_registry.mappers if str(each.local_table) in SCHEMA.models.tables]
    for mapper in of_the_bot:
        assert session.exec(select(mapper.class_)).all(), f"{mapper.local_table} has no rows"

    if session.get_bind().dialect.name == "sqlite":
        assert session.connection().exec_driver_sql("PRAGMA foreign_key_check").all() == []
