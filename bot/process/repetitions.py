"""Tells an error that comes again and again once in full, and then how often."""

import logging
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bot.model.already_reported import AlreadyReportedError

INTERVAL = 60.0
"""Seconds after which it is told how often an error came; one that stayed away so long is told in full."""

Key = tuple[str, str, str, int]


@dataclass
class Count:
    """How often an error came since it was told last.

    Attributes:
        event: What went wrong.
        error: The kind of error.
        since: When it was told last.
        times: How often it has come since then.
    """

    event: str
    error: str
    since: float
    times: int = 0


class Repetitions:
    """Counts errors that are told with a trace; the same is what happened at the same place."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._counts: dict[Key, Count] = {}

    def is_new(self, record: logging.LogRecord) -> bool:
        """Whether a line should be told as it is; any other is counted."""
        error = _error_in(record)
        if error is None:
            return True
        if isinstance(error, AlreadyReportedError):
            return False
        event, kind = _event_of(record), type(error).__name__
        key = event, kind, *_place_of(error)
        if known := self._counts.get(key):
            known.times += 1
            return False
        self._counts[key] = Count(event, kind, self._monotonic())
        return True

    def due(self, *, at_once: bool = False) -> Iterator[Count]:
        """Return what should be told now, and begin to count anew."""
        now = self._monotonic()
        for key, count in list(self._counts.items()):
            if at_once or now >= count.since + INTERVAL:
                del self._counts[key]
                if count.times:
                    self._counts[key] = Count(count.event, count.error, now)
                    yield count


def _event_of(record: logging.LogRecord) -> str:
    """Return what happened, without the values that differ from time to time."""
    return str(record.msg.get("event") if isinstance(record.msg, dict) else record.msg)


def _error_in(record: logging.LogRecord) -> BaseException | None:
    told = record.msg.get("exc_info") if isinstance(record.msg, dict) else record.exc_info
    match told:
        case BaseException():
            return told
        case (_, BaseException() as error, _):
            return error
        case True:
            return sys.exception()
        case _:
            return None


def _place_of(error: BaseException) -> tuple[str, int]:
    """Return the file and the line that raised it."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return ("", 0) if trace is None else (trace.tb_frame.f_code.co_filename, trace.tb_lineno)
