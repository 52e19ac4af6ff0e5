"""Reads what Telegram answers, as far as the bot needs it.

The library makes an object of everything in an answer, as of each button of a message that the bot itself has
just sent. That takes more time than all else it does, so what nobody reads is left out before.
"""

from collections.abc import Callable
from typing import Any

from telegram import Bot, Update

from adapters.telegram.aiohttp_request import AiohttpRequest

Skipped = Callable[[int, Exception], None]

WHERE_IT_STANDS = (
    "message_id",
    "date",
    "chat",
    "message_thread_id",
    "is_topic_message",
    "ephemeral_message_id",
    "receiver_user",
)


class BriefRequest(AiohttpRequest):
    """Sends all but polls. Only the place of a message that was sent is read, and nothing of one edited."""

    @staticmethod
    def parse_json_payload(payload: bytes) -> dict[str, Any]:
        """Read an answer of Telegram."""
        answer = AiohttpRequest.parse_json_payload(payload)
        result = answer.get("result")
        if isinstance(result, dict) and "message_id" in result:
            answer["result"] = "edit_date" in result or _place_of(result)
        return answer


class UpdatesRequest(AiohttpRequest):
    """Fetches updates, and reads each by itself; one that cannot be read arrives without its content.

    The library reads all updates of an answer or none, and an update is confirmed by asking for the next one:
    so it would be given the same answer for ever. Therefore it is told that there are none.
    """

    def __init__(self, api_url: str, skipped: Skipped) -> None:
        """Tell `skipped` the id of each update without its content, and why."""
        super().__init__(api_url)
        self._skipped = skipped
        self._newest: list[dict[str, Any]] = []

    def parse_json_payload(self, payload: bytes) -> dict[str, Any]:  # type: ignore[override] # it needs `self`
        """Read an answer of Telegram."""
        answer: dict[str, Any] = AiohttpRequest.parse_json_payload(payload)
        if isinstance(answer.get("result"), list):
            self._newest, answer["result"] = answer["result"], []
        return answer

    def newest(self, bot: Bot) -> list[Update]:
        """Return the updates that the last answer brought, for a bot to handle."""
        return [self._read(update, bot) for update in self._newest]

    def _read(self, update: dict[str, Any], bot: Bot) -> Update:
        try:
            return Update.de_json(_brief(update), bot)
        except Exception as error:
            if not isinstance(update, dict) or not isinstance(update.get("update_id"), int):
                raise  # there is nothing to go on with
            self._skipped(update["update_id"], error)
            return Update(update["update_id"])


def _brief(update: dict[str, Any]) -> dict[str, Any]:
    """Return the update without what a pressed message says."""
    press = update.get("callback_query")
    if press is None or "message" not in press:
        return update
    return {**update, "callback_query": {**press, "message": _place_of(press["message"])}}


def _place_of(message: dict[str, Any]) -> dict[str, Any]:
    return {name: message[name] for name in WHERE_IT_STANDS if name in message}
