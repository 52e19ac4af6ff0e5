"""Discord's refusals."""

from enum import Enum
from typing import Any


class Refusal(Enum):
    """Status, code and sentence of the refusals a bot meets."""

    UNAUTHORIZED = (401, 0, "401: Unauthorized")
    NOT_FOUND = (404, 0, "404: Not Found")
    SERVER_ERROR = (500, 0, "500: Internal Server Error")
    UNAVAILABLE = (503, 0, "503: Service Unavailable")
    UNKNOWN_CHANNEL = (404, 10003, "Unknown Channel")
    UNKNOWN_GUILD = (404, 10004, "Unknown Guild")
    UNKNOWN_MEMBER = (404, 10007, "Unknown Member")
    UNKNOWN_MESSAGE = (404, 10008, "Unknown Message")
    UNKNOWN_ROLE = (404, 10011, "Unknown Role")
    UNKNOWN_USER = (404, 10013, "Unknown User")
    UNKNOWN_EMOJI = (404, 10014, "Unknown Emoji")
    UNKNOWN_WEBHOOK = (404, 10015, "Unknown Webhook")
    UNKNOWN_INTERACTION = (404, 10062, "Unknown interaction")
    TOO_MANY_PINS = (400, 30003, "Maximum number of pins reached (250)")
    TOO_MANY_ROLES = (400, 30005, "Maximum number of server roles reached (250)")
    TOO_MANY_EMOJIS = (400, 30008, "Maximum number of emojis reached")
    OPENING_DIRECT_MESSAGES_TOO_FAST = (400, 40003, "You are opening direct messages too fast")
    ALREADY_ANSWERED = (400, 40060, "Interaction has already been acknowledged.")
    TOO_MANY_FOLLOW_UPS = (
        400,
        40094,
        "Maximum number of follow up messages reached",
    )
    MISSING_ACCESS = (403, 50001, "Missing Access")
    NOT_YOUR_MESSAGE = (403, 50005, "Cannot edit a message authored by another user")
    EMPTY_MESSAGE = (400, 50006, "Cannot send an empty message")
    CANNOT_MESSAGE_USER = (403, 50007, "Cannot send messages to this user")
    MISSING_PERMISSIONS = (403, 50013, "Missing Permissions")
    INVALID_WEBHOOK_TOKEN = (401, 50027, "Invalid Webhook Token")
    INVALID_FORM = (400, 50035, "Invalid Form Body")
    ENTRY_POINT_REMOVED = (
        400,
        50240,
        "You cannot remove this app's Entry Point command in a bulk update operation.",
    )
    ARCHIVED_THREAD = (400, 50083, "Thread is archived")


class ApiError(Exception):
    """A refused request."""

    def __init__(self, refusal: Refusal, *details: str) -> None:
        super().__init__(refusal.name, *details)
        self.status, self.code, self.message = refusal.value
        self.details = details

    @property
    def body(self) -> dict[str, Any]:
        body: dict[str, Any] = {"message": self.message, "code": self.code}
        if self.details:
            errors = [{"code": "INVALID", "message": detail} for detail in self.details]
            body["errors"] = {"_errors": errors}
        return body
