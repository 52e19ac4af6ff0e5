"""The people and places of the end-to-end tests, whichever chat they are in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from tests.e2e.process import BotProcess

SUITS = frozenset("♠♥♦♣")


@dataclass(frozen=True)
class Shown:
    """A message as a player sees it now: its text, and its buttons as labels by token."""

    text: str
    buttons: Mapping[str, str]
    message: object = field(repr=False)

    def token(self, label: str) -> str:
        """Returns the token of the button with this label."""
        return next(token for token, text in self.buttons.items() if text == label)


@dataclass(frozen=True)
class Read:
    """A text that reached a person, and its time in Unix seconds."""

    at: float
    text: str


class Person(Protocol):
    """A player in the chat."""

    @property
    def name(self) -> str: ...

    async def types(self, line: str) -> str:
        """Types a command, and returns the ephemeral notice that comes at once, or an empty text."""

    async def public(self) -> Sequence[Shown]:
        """Returns the bot's public messages, oldest first."""

    async def private(self) -> Sequence[Shown]:
        """Returns the bot's messages to this person alone, oldest first."""

    async def presses(self, shown: Shown, token: str) -> str:
        """Presses a visible button, and returns the notice of the answer, or an empty text."""

    async def forces(self, shown: Shown, token: str) -> str:
        """Presses a button that may be missing by now, as a belated or manipulated client does.

        Returns the notice of the answer.
        """

    async def looks(self) -> None:
        """Requests the hand, in a chat that sends it at most once a second."""

    def has_read(self) -> Sequence[Read]:
        """Returns everything that ever reached them, edited and deleted messages included."""

    async def keeps(self) -> Sequence[Shown]:
        """Returns the private messages that stay, without those that a chat shows only for a moment."""

    def rang(self) -> Sequence[str]:
        """Returns the first version of every private message, since edits don't make a phone ring again."""


class Chat(Protocol):
    """A room of people and the bot."""

    settings: Mapping[str, str]  # the environment of the bot

    admits_the_nameless: bool

    async def met(self, bot: BotProcess) -> None:
        """Connects the chat with a bot that has started."""

    async def newcomer(self, name: str) -> Person:
        """Adds a player to the room."""


async def hand_button(person: Person) -> tuple[Shown, str] | None:
    """Returns the button that shows the hand, paired with the hand so that the answer comes at once."""
    hands = [shown for shown in await person.private() if SUITS & set(shown.text)]
    tokens = [token for shown in await person.public() for token in shown.buttons if token.startswith("h:")]

    if not hands or not tokens:
        return None
    return hands[-1], tokens[-1]
