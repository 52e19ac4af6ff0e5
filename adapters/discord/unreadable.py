"""Reads what Discord reports, so that an event the library cannot read costs that event only."""

from collections.abc import Callable, Mapping
from typing import Any

from discord.state import ConnectionState

Parser = Callable[[Any], None]
Skipped = Callable[[str, Exception], None]

NEEDED = frozenset({"READY", "RESUMED"})
"""Without these there is no session: the connection begins anew."""


def skip_unreadable(connection: "ConnectionState[Any]", skipped: Skipped) -> None:
    """Make a connection go on after an event that it cannot read; the library's own would end.

    Args:
        connection: What the client library keeps about the connection.
        skipped: Told which event it was, and why.
    """
    for name, parse in connection.parsers.items():
        if name not in NEEDED:
            connection.parsers[name] = _guarded(name, parse, skipped)


def _guarded(name: str, parse: Parser, skipped: Skipped) -> Parser:
    def guarded(data: object) -> None:
        try:
            parse(data)
        except Exception as error:  # whatever the library stumbles over
            number = data.get("id") if isinstance(data, Mapping) else None
            is_id = isinstance(number, str) and number.isdecimal()
            skipped(f"{name} {number}" if is_id else name, error)

    return guarded
