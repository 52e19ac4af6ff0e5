"""Pieces of text: what they look like, and what they refer to."""

from dataclasses import dataclass
from enum import Enum, auto

from adapters.port.refs import MessageRef, UserRef


class Mark(Enum):
    """How a piece of text looks."""

    PLAIN = auto()
    BOLD = auto()
    ITALIC = auto()
    CODE = auto()
    STRIKE = auto()


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of text; the adapter escapes it, so it may hold anything.

    `mention` notifies that person where the chat can (the text then stands for their name); `link` leads to a
    message where the chat has addresses for messages, and is plain text elsewhere. `when` is the moment (in
    Unix seconds) that the text names: a chat that can shows it by the clock of whoever reads.
    """

    text: str
    mark: Mark = Mark.PLAIN
    mention: UserRef | None = None
    link: MessageRef | None = None
    when: float | None = None
