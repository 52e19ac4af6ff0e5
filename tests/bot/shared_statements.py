"""Shares the statements that SQLAlchemy has compiled among all databases of this process.

Each engine has its own cache, and each test an engine: without this, every test would compile the same
hundreds of statements anew, which took a third of the time.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import sqlalchemy as sa
from sqlalchemy.engine.default import DefaultDialect


@contextmanager
def shared_statements() -> Iterator[None]:
    """Shares one cache among all engines of a driver in this block."""
    compiled = dict[Any, Any]()

    def share(connection: sa.Connection) -> None:
        connection.execution_options(compiled_cache=compiled)

    sa.event.listen(sa.Engine, "engine_connect", share)
    # The dialect is a part of each key, and by default differs from every other one.
    with patch.multiple(DefaultDialect, __eq__=_is_same_dialect, __hash__=_hash_of_dialect):
        yield

    sa.event.remove(sa.Engine, "engine_connect", share)


def _is_same_dialect(one: DefaultDialect, other: object) -> bool:
    return type(one) is type(other)


def _hash_of_dialect(dialect: DefaultDialect) -> int:
    return hash(type(dialect))
