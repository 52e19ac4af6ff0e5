"""Errors of the Bot API."""

from typing import Any


class ApiError(Exception):
    """An answer with `ok: false`."""

    def __init__(self, code: int, description: str, **parameters: int) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.parameters = parameters

    def body(self) -> dict[str, Any]:
        """Returns the JSON of the answer."""
        answer: dict[str, Any] = {"ok": False, "error_code": self.code, "description": self.description}
        if self.parameters:
            answer["parameters"] = self.parameters
        return answer


def bad_request(what: str, **parameters: int) -> ApiError:
    """Returns the error of a request that can't be carried out."""
    return ApiError(400, f"Bad Request: {what}", **parameters)


def forbidden(what: str) -> ApiError:
    """Returns the error of a request that the bot has no right to."""
    return ApiError(403, f"Forbidden: {what}")


def flood(seconds: int) -> ApiError:
    """Returns the error of too many requests."""
    return ApiError(429, f"Too Many Requests: retry after {seconds}", retry_after=seconds)
