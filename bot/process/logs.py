"""The format and the output of the log. If a line can't be written, only that line is lost."""

import logging
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from traceback import walk_tb
from typing import TextIO

import structlog

from bot.config import LogFormat, LogLevel
from bot.metrics import LINES_LOST
from bot.model.messages import AlreadyReportedError

log = structlog.get_logger()

# Seconds between two reports of how often an error repeated; after a break this long it is logged in full.
INTERVAL = 60.0

# The event, the kind of error, and the place in the code.
Key = tuple[str, str, Sequence[tuple[str, int]]]


class Repetitions:
    """Counts errors that are logged with a trace; the same event at the same place is the same error."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._reported_at: dict[Key, float] = {}
        self._times = Counter[Key]()  # since then

    def is_new(self, record: logging.LogRecord) -> bool:
        """Returns whether a line is to be logged; a repeated error is only counted."""
        fields = record.msg if isinstance(record.msg, dict) else vars(record) | {"event": record.msg}
        error = fields.get("exc_info")
        if error is True:
            error = sys.exception()
        elif isinstance(error, tuple):
            error = error[1]

        if not isinstance(error, BaseException):
            return True
        if isinstance(error, AlreadyReportedError):
            return False

        places = [(frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__)]
        # The event, without the values that differ from time to time, and the place where it was raised.
        key = str(fields.get("event")), type(error).__name__, tuple(places[-1:])
        if key in self._reported_at:
            self._times[key] += 1
            return False

        self._reported_at[key] = self._monotonic()
        return True

    def report(self, *, at_once: bool = False) -> None:
        """Logs how often each error that is due was repeated, and starts counting again."""
        now = self._monotonic()
        due = [key for key, since in self._reported_at.items() if at_once or now >= since + INTERVAL]
        for key in due:
            del self._reported_at[key]

        repeated = {key: self._times.pop(key) for key in due if key in self._times}
        self._reported_at |= dict.fromkeys(repeated, now)
        for (event, error, _), times in repeated.items():  # last, as each line calls this method again
            log.error("error_repeated", of=event, error=error, times=times)


# Libraries with lines that may contain addresses with tokens, or that come with every request.
CHATTY = ("aiohttp.access", "aiosqlite", "alembic", "asyncio", "discord", "sqlalchemy", "telegram")


class Lines(logging.StreamHandler[TextIO]):
    """Writes the lines of the bot and of all libraries.

    Errors are ignored: the code that logs can do nothing about a full disk or a closed pipe, least of all
    when something has gone wrong already.
    """

    def __init__(self) -> None:
        super().__init__(sys.stderr)
        self._repetitions = Repetitions()

    def emit(self, record: logging.LogRecord) -> None:
        """Writes a line, or counts it as a repetition."""
        try:
            self._repetitions.report()
            if self._repetitions.is_new(record):
                super().emit(record)
        except Exception:  # whatever it is, the line is lost
            self.handleError(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the library's name
        """Counts a line that could not be written."""
        del record
        LINES_LOST.inc()

    def close(self) -> None:
        """Logs the counts before the end."""
        with suppress(Exception):
            self._repetitions.report(at_once=True)
        super().close()


def configure_logs(level: LogLevel, style: LogFormat) -> None:
    """Sends all lines to standard error; chatty libraries log only warnings and errors."""
    number = logging.getLevelNamesMapping()[level.upper()]
    look: list[structlog.typing.Processor] = [
        structlog.processors.format_exc_info,
        structlog.processors.JSONRenderer(),
    ]

    if style == "text":
        colors = sys.stderr is not None and sys.stderr.isatty()
        plain = structlog.dev.plain_traceback
        look = [structlog.dev.ConsoleRenderer(colors=colors, exception_formatter=plain)]

    before: list[structlog.typing.Processor] = [
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*before, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    last = [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *look]
    handler = Lines()
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(foreign_pre_chain=before, processors=last))
    logging.basicConfig(level=number, handlers=[handler], force=True)
    logging.captureWarnings(capture=True)

    for name in CHATTY:
        logging.getLogger(name).setLevel(max(number, logging.WARNING))


def tell_owner(sentence: str) -> None:
    """Prints a sentence on standard output; ignores a closed one."""
    with suppress(OSError, ValueError):
        print(sentence, flush=True)  # noqa: T201 - for the owner's eyes


def tell_owner_secretly(purpose: str, secret: str, file: Path) -> None:
    """Shows a secret on a terminal; otherwise the output may be a log, so it is written to `file`."""
    with suppress(OSError, ValueError, AttributeError):
        if sys.stdout.isatty():
            tell_owner(f"{purpose} (keep it private): {secret}")
            return

    try:
        file.unlink(missing_ok=True)
        with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as out:
            out.write(f"{secret}\n")
    except OSError as error:
        tell_owner(
            f"The file {file} cannot be written ({error.strerror}): start the bot in a terminal instead."
        )
    else:
        tell_owner(f"{purpose}: in the file {file}, which only you can read.")


def discard_unwritable_output() -> None:
    """Drops unwritable output, which would make the interpreter fail at its end."""
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
