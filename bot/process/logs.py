"""What is logged, and how a line looks. A line that cannot be written is lost, and nothing else is."""

import logging
import os
import sys
from contextlib import suppress
from typing import TextIO

import structlog

from bot.config import LogFormat, LogLevel
from bot.metrics import LINES_LOST
from bot.process.repetitions import Repetitions

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

    The disk may be full and the reader of a pipe gone: nobody who logs can do anything about that, least of
    all where something has gone wrong already.
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


def let_go_of_output() -> None:
    """Drop what cannot be written, over which the interpreter would stumble at its end."""
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
