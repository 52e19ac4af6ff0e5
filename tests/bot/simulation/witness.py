"""Errors in the log, warnings and lost exceptions: a story has only those that it caused on purpose."""

import gc
import logging
import sys
import warnings
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import structlog

from tests.bot.simulation.faults import BrokenDiskError, BrokenLineError

STAGED = (BrokenDiskError, BrokenLineError)
# Log lines after an error of the story that do not contain the error itself, as it could contain names or
# cards.
WITHOUT_TRACE = {
    "database_out_of_reach",
    "picture_failed",
    "puzzle_search_failed",
    "review_failed",
}

Entry = MutableMapping[str, Any]


class Witness(logging.Handler):
    """Collects errors and warnings without a cause in the story.

    Attributes:
        is_deaf: Whether a process is being killed, as its log does not count.
        disk_is_broken: Whether the story has made the disk fail a moment ago.
    """

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.troubles: list[str] = []
        self.is_deaf = False
        self.disk_is_broken = False

    def check(self) -> None:
        """Raises an AssertionError if there was any trouble."""
        assert not self.troubles, "; ".join(self.troubles)

    def hear(self, _: object, name: str, entry: Entry) -> str:
        """Receives a log line; a processor of structlog."""
        is_trouble = name in {"error", "exception", "critical"}
        if is_trouble and not self.is_deaf and not self._is_staged(entry):
            self.troubles.append(f"logged: {_line_of(entry)}")
        raise structlog.DropEvent

    def emit(self, record: logging.LogRecord) -> None:
        """Receives a line of a library's log."""
        if not self.is_deaf:
            self.troubles.append(f"logged by {record.name}: {record.getMessage()}")

    def hear_loop(self, _: object, context: dict[str, Any]) -> None:
        """Receives an exception that nobody awaited; a handler of asyncio."""
        error = context.get("exception")
        if not self.is_deaf and not _stems_from_story(error):
            self.troubles.append(f"{context['message']}: {error!r}")

    def hear_unraisable(self, unraisable: "sys.UnraisableHookArgs") -> None:
        """Receives an error of a finalizer; a hook of the interpreter."""
        if not self.is_deaf:
            self.troubles.append(f"{unraisable.err_msg} {unraisable.object!r}: {unraisable.exc_value!r}")

    def hear_warning(
        self, message: Warning | str, category: type[Warning], *place: object, **_: object
    ) -> None:
        """Receives a warning, as `warnings.showwarning` does."""
        if not self.is_deaf:
            self.troubles.append(f"{category.__name__}: {message}")

    @contextmanager
    def looking_away(self) -> Iterator[None]:
        """Ignores everything in this block, in which a process dies."""
        self.is_deaf = True
        try:
            yield
            gc.collect()
        finally:
            self.is_deaf = False

    def _is_staged(self, entry: Entry) -> bool:
        error = entry.get("exc_info")
        if error is True:
            error = sys.exc_info()[1]

        return _stems_from_story(error) or (self.disk_is_broken and entry["event"] in WITHOUT_TRACE)


@contextmanager
def witnessed() -> Iterator[Witness]:
    """Yields a witness of everything that is logged, warned about and left undone in this block."""
    witness = Witness()
    before = structlog.get_config()
    gc.collect()
    gc.freeze()  # earlier leftovers do not count
    gc.disable()  # so that lost objects are found at the same moment in each run

    with (
        warnings.catch_warnings(),
        patch("warnings.showwarning", witness.hear_warning),
        patch("sys.unraisablehook", witness.hear_unraisable),
    ):
        warnings.simplefilter("always")
        logging.getLogger().addHandler(witness)
        structlog.configure(processors=[witness.hear], logger_factory=structlog.ReturnLoggerFactory())
        try:
            yield witness
            gc.collect()
        finally:
            logging.getLogger().removeHandler(witness)
            structlog.configure(**before)
            gc.enable()
            gc.unfreeze()

    witness.check()


def _line_of(entry: Entry) -> str:
    error = entry.pop("exc_info", None)
    if error is True:
        error = sys.exc_info()[1]

    facts = ", ".join(f"{key}={value}" for key, value in entry.items() if key != "event")
    return f"{entry['event']} ({facts}) {error!r}"


def _stems_from_story(error: object) -> bool:
    """Returns whether an error, or one of its causes, was requested by the story."""
    if not isinstance(error, BaseException):
        return False
    if isinstance(error, STAGED):
        return True

    causes = [error.__cause__, error.__context__, getattr(error, "orig", None)]
    if isinstance(error, BaseExceptionGroup):
        causes += error.exceptions

    return any(_stems_from_story(cause) for cause in causes)
