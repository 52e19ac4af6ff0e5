"""How the Bot API says no."""

from typing import Any


class ApiError(Exception):
    """An answer with `ok: false`."""

    def __init__(self, code: int, description: str, **parameters: int) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.parameters = parameters

    def body(self) -> dict[str, Any]:
        """The JSON of the answer."""
        answer: dict[str, Any] = {"ok": False, "error_code": self.code, "description": self.description}
        if self.parameters:
            answer["parameters"] = self.parameters
        return answer


def bad_request(what: str, **parameters: int) -> ApiError:
    """The request cannot be carried out."""
    return ApiError(400, f"Bad Request: {what}", **parameters)


def forbidden(what: str) -> ApiError:
    """The bot may not do that."""
    return ApiError(403, f"Forbidden: {what}")


def flood(seconds: int) -> ApiError:
    """Too many requests."""
    return ApiError(429, f"Too Many Requests: retry after {seconds}", retry_after=seconds)
