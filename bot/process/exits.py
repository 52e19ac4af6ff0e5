"""The exit codes of the process, by which a service manager decides whether to restart it."""

DEFECT = 1  # anything unforeseen
NOT_NOW = 75  # the same start may succeed later: the database is away, or another process has it
SETTINGS = 78  # no start succeeds before its owner has changed something


class CannotStartError(Exception):
    """The bot cannot start or continue; the message is a sentence for its owner."""

    def __init__(self, why: str, code: int) -> None:
        super().__init__(why)
        self.code = code
