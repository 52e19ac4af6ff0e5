"""What the page answers when it does not do what was asked."""


class RefusedError(Exception):
    """The request is not served; the message is for the person at the page."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


UNKNOWN_GUEST = "Nobody knows you here: open your own link, or come in with a name."
