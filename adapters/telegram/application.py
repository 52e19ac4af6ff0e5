"""The client library's application, set up the way this bot needs it."""

import logging
from collections.abc import Callable, Coroutine
from typing import Any

import structlog
from telegram import Update
from telegram.ext import Application, ApplicationBuilder, CallbackContext, ExtBot, TypeHandler

from adapters.telegram.answers import BriefRequest, Skipped, UpdatesRequest

log = structlog.get_logger()

SILENT = logging.CRITICAL + 1

BotApplication = Application[ExtBot[None], CallbackContext[ExtBot[None], Any, Any, Any], Any, Any, Any, Any]
"""The application, without any of the memory it offers: ours is the database."""


def build_application(
    token: str,
    api_url: str,
    on_update: Callable[[Update, object], Coroutine[Any, Any, None]],
    on_skipped: Skipped,
) -> BotApplication:
    """Return an application that hands over each update as it comes, many at once, but unreadable ones.

    It fetches none itself (no updater) and limits no rates: the outbox does, which knows what is stale.
    """
    _keep_secrets_out_of_the_log()
    root = api_url.rstrip("/")
    application: BotApplication = (
        ApplicationBuilder()
        .token(token)
        .base_url(f"{root}/bot")
        .base_file_url(f"{root}/file/bot")
        .concurrent_updates(True)
        .updater(None)
        .job_queue(None)
        .request(BriefRequest(api_url))
        .get_updates_request(UpdatesRequest(api_url, on_skipped))
        .build()
    )
    application.add_handler(TypeHandler(Update, on_update))
    application.add_error_handler(_on_error)
    return application


async def _on_error(_: object, context: CallbackContext[Any, Any, Any, Any]) -> None:
    log.error("update_failed", platform="telegram", exc_info=context.error)


def _keep_secrets_out_of_the_log() -> None:
    """Silence the library where it tells what it sent, or what it cannot read: what people wrote."""
    logging.getLogger("telegram").setLevel(logging.WARNING)
    for name in ("telegram.request", "telegram.Bot", "telegram.ext.ExtBot"):
        logging.getLogger(name).setLevel(SILENT)
