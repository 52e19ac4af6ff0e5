"""Text with marks, mentions, links and times; each adapter renders it in its own way."""

from dataclasses import dataclass
from enum import Enum, auto

from adapters.port.refs import MessageRef, UserRef


def gettext_noop(message: str) -> str:
    """Marks a message of an adapter for translation by the bot."""
    return message


class Mark(Enum):
    """The look of a piece of text."""

    PLAIN = auto()
    BOLD = auto()
    ITALIC = auto()
    CODE = auto()
    STRIKE = auto()
    SMALL = auto()  # a line of small print, from this piece to the line's end


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of text; the adapter escapes it, so it may contain anything.

    `mention` notifies that person if the chat can (the text is then their name). `link` leads to a message
    if the chat has addresses for messages; elsewhere it is plain text. `when` is the time (Unix seconds) that
    the text names: if the chat can, it shows it in the reader's time zone, or the time left if `counts_down`.
    `in_picture`: the screen's picture shows the same fact, and its alternative text says it.
    """

    text: str
    mark: Mark = Mark.PLAIN
    mention: UserRef | None = None
    link: MessageRef | None = None
    when: float | None = None
    counts_down: bool = False
    in_picture: bool = False

    @property
    def is_gap(self) -> bool:
        """Whether it only separates lines."""
        return bool(self.text) and not self.text.strip("\n")
