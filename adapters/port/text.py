"""Text with marks, mentions, links and moments; each adapter draws it in its own way."""

from dataclasses import dataclass
from enum import Enum, auto

from adapters.port.refs import MessageRef, UserRef


def gettext_noop(message: str) -> str:
    """Marks a message of an adapter that the bot translates."""
    return message


class Mark(Enum):
    """The look of a piece of text."""

    PLAIN = auto()
    BOLD = auto()
    ITALIC = auto()
    CODE = auto()
    STRIKE = auto()


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of text; the adapter escapes it, so it may hold anything.

    `mention` notifies that person where the chat can (the text is then their name); `link` leads to a
    message where the chat has addresses for messages, and is plain text elsewhere. `when` is the moment (in
    Unix seconds) that the text names: a chat that can shows it in the reader's time zone, or, if it
    `counts_down`, how long it is until then.
    """

    text: str
    mark: Mark = Mark.PLAIN
    mention: UserRef | None = None
    link: MessageRef | None = None
    when: float | None = None
    counts_down: bool = False
