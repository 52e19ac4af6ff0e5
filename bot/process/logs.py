"""What is logged, and how a line looks. A line that cannot be written is lost, and nothing else is."""

import logging
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import structlog

from bot.config import LogFormat, LogLevel
from bot.metrics import LINES_LOST
from bot.model.messages import AlreadyReportedError

INTERVAL = 60.0
"""Seconds between two reports of how often an error repeated; after a break this long it is told in full."""

Key = tuple[str, str, str, int]


@dataclass
class Count:
    """How often an error came since it was told last."""

    event: str  # what went wrong
    error: str  # the kind of error
    since: float  # when it was told last
    times: int = 0  # how often it has come since then


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
        # What happened, without the values that differ from time to time, and where it was raised.
        event = str(record.msg.get("event") if isinstance(record.msg, dict) else record.msg)
        kind, trace = type(error).__name__, error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        place = ("", 0) if trace is None else (trace.tb_frame.f_code.co_filename, trace.tb_lineno)
        key = event, kind, *place
        if known := self._counts.get(key):
            known.times += 1
            return False
        self._counts[key] = Count(event, kind, self._monotonic())
        return True

    def due(self, *, at_once: bool = False) -> Iterator[Count]:
        """Return what should be told now, and start counting again."""
        now = self._monotonic()
        for key, count in list(self._counts.items()):
            if at_once or now >= count.since + INTERVAL:
                del self._counts[key]
                if count.times:
                    self._counts[key] = Count(count.event, count.error, now)
                    yield count


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


# --- What is logged, and how a line looks. A line that cannot be written is lost, and nothing else is ---


log = structlog.get_logger()

CHATTY = (
    "aiohttp.access",
    "aiosqlite",
    "alembic",
    "asyncio",
    "discord",
    "sqlalchemy",
    "telegram",
)
"""Libraries whose own lines may hold addresses with tokens in them or come with every request."""


class Lines(logging.StreamHandler[TextIO]):
    """Writes the lines of the bot and of all libraries.

    The disk may be full and the reader of a pipe gone: the code that logs cannot do anything about that,
    least of all where something has gone wrong already.
    """

    def __init__(self) -> None:
        super().__init__(sys.stderr)
        self._repetitions = Repetitions()

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line, or count it."""
        try:
            self._tell_counts(at_once=False)
            if self._repetitions.is_new(record):
                super().emit(record)
        except Exception:  # whatever it is, the line is lost
            self.handleError(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the library's name
        """Count a line that could not be written."""
        del record
        LINES_LOST.inc()

    def close(self) -> None:
        """Tell what was counted before the end."""
        with suppress(Exception):
            self._tell_counts(at_once=True)
        super().close()

    def _tell_counts(self, *, at_once: bool) -> None:
        for count in self._repetitions.due(at_once=at_once):
            log.error("error_repeated", of=count.event, error=count.error, times=count.times)


def configure_logs(level: LogLevel, style: LogFormat) -> None:
    """Send all lines to standard error; libraries speak only from warnings on."""
    number = logging.getLevelNamesMapping()[level.upper()]
    look: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if style is LogFormat.JSON
        else structlog.dev.ConsoleRenderer(
            colors=sys.stderr is not None and sys.stderr.isatty(),
            exception_formatter=structlog.dev.plain_traceback,
        )
    )
    before: list[structlog.typing.Processor] = [
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    last: list[structlog.typing.Processor] = (
        [structlog.processors.format_exc_info] if style is LogFormat.JSON else []
    )
    structlog.configure(
        processors=[*before, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    handler = Lines()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=before,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last, look],
        )
    )
    logging.basicConfig(level=number, handlers=[handler], force=True)
    logging.captureWarnings(capture=True)
    for name in CHATTY:
        logging.getLogger(name).setLevel(max(number, logging.WARNING))


def tell_owner(sentence: str) -> None:
    """Print a sentence on standard output, where its reader may be gone."""
    with suppress(OSError, ValueError):
        print(sentence, flush=True)  # noqa: T201 - for the owner's eyes


def tell_owner_secretly(purpose: str, secret: str, file: Path) -> None:
    """Show a secret on a terminal; elsewhere output may be a log, so it goes into a file of the owner's."""
    with suppress(OSError, ValueError, AttributeError):
        if sys.stdout.isatty():
            tell_owner(f"{purpose} (keep it private): {secret}")
            return
    try:
        file.unlink(missing_ok=True)
        with os.fdopen(
            os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8"
        ) as out:
            out.write(f"{secret}\n")
    except OSError as error:
        tell_owner(
            f"The file {file} cannot be written ({error.strerror}): start the bot in a terminal instead."
        )
    else:
        tell_owner(f"{purpose}: in the file {file}, which only you can read.")


def let_go_of_output() -> None:
    """Drop what cannot be written, over which the interpreter would stumble at its end."""
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
