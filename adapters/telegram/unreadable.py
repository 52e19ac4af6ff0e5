"""Reads what Telegram reports, so that an update the library cannot read costs that update only."""

from collections.abc import Callable
from typing import Any, cast

from telegram import Update

from adapters.telegram.aiohttp_request import AiohttpRequest

Skipped = Callable[[int, Exception], None]


class UpdatesRequest(AiohttpRequest):
    """Fetches updates; one that cannot be read arrives without its content.

    The library reads all updates of an answer or none, and an update is confirmed by asking for the next one:
    so it would be given the same answer for ever.
    """

    def __init__(self, api_url: str, skipped: Skipped) -> None:
        """Tell `skipped` the id of each update without its content, and why."""
        super().__init__(api_url)
        self._skipped = skipped

    def parse_json_payload(self, payload: bytes) -> dict[str, Any]:  # type: ignore[override] # it needs `self`
        """Read an answer of Telegram."""
        answer: dict[str, Any] = AiohttpRequest.parse_json_payload(payload)
        updates = answer.get("result")
        if isinstance(updates, list):
            answer["result"] = [self._readable(update) for update in updates]
        return answer

    def _readable(self, update: object) -> object:
        """Return the update, or what is left of it: its id, which confirms it."""
        try:
            Update.de_json(cast("dict[str, Any]", update))
        except Exception as error:
            if not isinstance(update, dict) or not isinstance(update.get("update_id"), int):
                raise  # there is nothing to go on with
            self._skipped(update["update_id"], error)
            return {"update_id": update["update_id"]}
        return update
