"""Typed lines as commands and presses."""

from collections.abc import Mapping
from dataclasses import dataclass

from adapters.port import Command, MessageRef, Press, RoomRef, User


@dataclass(frozen=True)
class Choices:
    """The newest message with choices at a place: their tokens, in the order of their numbers."""

    message: MessageRef
    tokens: tuple[str, ...]


@dataclass(frozen=True)
class TypedLine:
    """A line of a person, in a room or in their private chat."""

    id: str
    user: User
    room: RoomRef
    text: str

    @property
    def is_private(self) -> bool:
        return self.room.id == self.user.ref.id


def event_of(line: TypedLine, choices: Choices | None, people: Mapping[str, User]) -> Command | Press | None:
    """Reads a command such as `/stats @Anna`, or the number of a choice; None if it is an ordinary line."""
    text = line.text.strip()
    if text.startswith("/") and len(text) > 1:
        name, *words = text.removeprefix("/").split()
        mentioned = tuple(people[word[1:]] for word in words if word[:1] == "@" and word[1:] in people)
        return Command(line.user, line.room, name.lower(), tuple(words), mentioned, line.id)

    is_number = text.isascii() and text.isdecimal()
    if choices is None or not is_number or not 1 <= int(text) <= len(choices.tokens):
        return None

    return Press(
        line.user,
        line.room,
        choices.tokens[int(text) - 1],
        choices.message,
        line.id,
        on_private_message=line.is_private,
        tokens=frozenset(choices.tokens),
    )
