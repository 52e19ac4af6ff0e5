"""Maps Telegram's errors to outcomes of the port."""

import os
from datetime import timedelta

import telegram
from telegram.error import BadRequest, RetryAfter, TelegramError

from adapters import port
from adapters.telegram.refs import PLATFORM

# Without this setting the library warns about each flood error.
os.environ.setdefault("PTB_TIMEDELTA", "true")

RETRY_SECONDS = 3.0  # the pause after a missing or unreadable answer

_MESSAGE_GONE = (
    "message to edit not found",
    "message to delete not found",
    "message can't be edited",
    "message can't be deleted",
    "message_id_invalid",
    "message not found",
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
    "group is deactivated",
    "group chat was upgraded to a supergroup",
    "not in the chat",
    "chat_send_plain_forbidden",
    "user not found",
    "user_is_blocked",
    "input_user_deactivated",
)
_MAY_NOT_PIN = (
    "not enough rights to manage pinned",
    "not enough rights to pin",
    "chat_admin_required",
    "pin_restricted",
)
_PIN_GONE = ("message to pin not found", "message to unpin not found", "chat_not_modified", *_MESSAGE_GONE)
_FILES_FORBIDDEN = (
    "not enough rights to send photos",
    "not enough rights to send documents",
    "not enough rights to send animations",
    "chat_send_photos_forbidden",
    "chat_send_docs_forbidden",
    "chat_send_gifs_forbidden",
)


def outcome_of(error: TelegramError, chat: int) -> port.Throttled | port.NeedsOptIn | port.Gone:
    """Returns the outcome of a message that Telegram refused; private chats have positive ids."""
    if isinstance(error, RetryAfter):
        return port.Throttled(seconds_of(error), is_flood=True)

    words = error.message.lower()
    is_closed = isinstance(error, telegram.error.Forbidden) or any(phrase in words for phrase in _ROOM_GONE)
    if is_closed and chat > 0:
        return port.NeedsOptIn(port.UserRef(PLATFORM, str(chat)))
    if is_closed:
        return port.Gone(port.Lost.ROOM, error.message)
    if any(phrase in words for phrase in _MESSAGE_GONE):
        return port.Gone(port.Lost.MESSAGE, error.message)
    if isinstance(error, BadRequest) or "entity too large" in words:
        return port.Gone(port.Lost.CONTENT, error.message)

    return port.Throttled(RETRY_SECONDS)  # also for a refused token, which polling reports


def pin_trouble_of(error: TelegramError) -> port.PinTrouble | None:
    """Returns the reason why a message can't be pinned or unpinned; None if nothing is left to do."""
    words = error.message.lower()
    if any(phrase in words for phrase in _MAY_NOT_PIN):
        return port.PinTrouble.NO_RIGHT
    if any(phrase in words for phrase in _PIN_GONE):
        return None

    return port.PinTrouble.REFUSED


def seconds_of(error: RetryAfter) -> float:
    """Returns the seconds that Telegram asks to wait."""
    delay = error.retry_after
    return delay.total_seconds() if isinstance(delay, timedelta) else float(delay)


def is_content_refused(error: TelegramError, chat: int) -> bool:
    """Returns whether Telegram may accept the message without its file, or by another method."""
    words = error.message.lower()
    is_unknown_method = isinstance(error, telegram.error.InvalidToken) and "not found" in words
    is_forbidden = any(phrase in words for phrase in _FILES_FORBIDDEN)
    return is_unknown_method or is_forbidden or port.is_refused(outcome_of(error, chat))
