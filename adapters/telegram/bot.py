"""The client library's bot, set up the way this one needs it."""

import logging

from telegram import Bot

from adapters.telegram.answers import BriefRequest, UpdatesRequest

SILENT = logging.CRITICAL + 1


def build_bot(token: str, api_url: str, polls: UpdatesRequest) -> Bot:
    """Return a bot that sends at once: how often is for the outbox to limit, which knows what is stale.

    It fetches updates by `polls`, where they are to be had afterwards.
    """
    _keep_secrets_out_of_the_log()
    root = api_url.rstrip("/")
    return Bot(
        token,
        base_url=f"{root}/bot",
        base_file_url=f"{root}/file/bot",
        request=BriefRequest(api_url),
        get_updates_request=polls,
    )


def _keep_secrets_out_of_the_log() -> None:
    """Silence the library where it tells what it sent, or what it cannot read: what people wrote."""
    logging.getLogger("telegram").setLevel(logging.WARNING)
    for name in ("telegram.request", "telegram.Bot"):
        logging.getLogger(name).setLevel(SILENT)
