"""What the page answers when it does not do what was asked."""


def gettext_noop(text: str) -> str:
    """Mark a sentence that is translated when it is said."""
    return text


class RefusedError(Exception):
    """The request is not served; the message is for the person at the page, `values` stand in its places."""

    def __init__(self, status: int, message: str, **values: object) -> None:
        super().__init__(message)
        self.status = status
        self.values = values


UNKNOWN_GUEST = gettext_noop("Nobody knows you here: open your own link, or come in with a name.")
