"""What is logged, and how a line looks."""

import logging
import sys

import structlog

from bot.settings import LogFormat, LogLevel

CHATTY = (
    "aiohttp.access",
    "aiosqlite",
    "alembic",
    "asyncio",
    "discord",
    "httpcore",
    "httpx",
    "sqlalchemy",
    "telegram",
)
"""Libraries whose own lines may hold addresses with tokens in them or come with every request."""


def configure_logs(level: LogLevel, style: LogFormat) -> None:
    """Send the bot's log lines to standard error; libraries speak only from warnings on."""
    number = logging.getLevelNamesMapping()[level.upper()]
    look: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if style is LogFormat.JSON
        else structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
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
        processors=[*before, *last, look],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=before,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last, look],
        )
    )
    logging.basicConfig(level=number, handlers=[handler], force=True)
    for name in CHATTY:
        logging.getLogger(name).setLevel(max(number, logging.WARNING))
