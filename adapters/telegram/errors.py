"""Says in the port's words what a refusal of Telegram means."""

import os
from datetime import timedelta

from telegram.error import BadRequest, Forbidden, RetryAfter, TelegramError

from adapters.port import Gone, Lost, NeedsOptIn, Throttled, UserRef
from adapters.telegram.refs import PLATFORM

# The library warns whenever it meets a flood error, unless one asks for durations this way.
os.environ.setdefault("PTB_TIMEDELTA", "true")

AFTER_TROUBLE = 3.0
"""Seconds to wait after an answer that did not come or made no sense."""

_MESSAGE_GONE = (
    "message to edit not found",
    "message to delete not found",
    "message can't be edited",
    "message can't be deleted",
    "message_id_invalid",
)
_ROOM_GONE = (
    "chat not found",
    "peer_id_invalid",
    "message thread not found",
    "topic_deleted",
    "topic_closed",
    "not enough rights to send",
    "have no rights to send",
    "chat_write_forbidden",
    "chat_restricted",
    "chat_admin_required",
    "channel_private",
    "group chat was deactivated",
)
_FILES_FORBIDDEN = (
    "not enough rights to send photos",
    "not enough rights to send documents",
    "chat_send_photos_forbidden",
    "chat_send_docs_forbidden",
)


def outcome_of(error: TelegramError, chat: int) -> Throttled | NeedsOptIn | Gone:
    """Return what became of a message that Telegram refused; a private chat's id is positive."""
    words = error.message.lower()
    closed = isinstance(error, Forbidden) or any(each in words for each in _ROOM_GONE)
    if isinstance(error, RetryAfter):
        return Throttled(seconds_of(error))
    if closed and chat > 0:
        return NeedsOptIn(UserRef(PLATFORM, str(chat)))
    if closed:
        return Gone(Lost.ROOM, error.message)
    if any(each in words for each in _MESSAGE_GONE):
        return Gone(Lost.MESSAGE, error.message)
    if isinstance(error, BadRequest):
        return Gone(Lost.CONTENT, error.message)
    return Throttled(AFTER_TROUBLE)  # a refused token, too: that ends the polling, which says so


def seconds_of(error: RetryAfter) -> float:
    """Return how long Telegram wants to be left alone."""
    asked = error.retry_after
    return asked.total_seconds() if isinstance(asked, timedelta) else float(asked)


def is_unchanged(error: TelegramError) -> bool:
    """Return whether the message shows that already."""
    return "message is not modified" in error.message.lower()


def forbids_files(error: TelegramError) -> bool:
    """Return whether the group lets the bot write, but not send pictures or documents."""
    words = error.message.lower()
    return any(each in words for each in _FILES_FORBIDDEN)


def has_no_text(error: TelegramError) -> bool:
    """Return whether text was meant for a message that is a picture or a document."""
    return "there is no text in the message" in error.message.lower()
