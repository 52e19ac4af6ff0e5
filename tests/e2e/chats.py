"""What the end-to-end tests need of a chat, whichever it is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from tests.e2e.process import BotProcess

SUITS = frozenset("♠♥♦♣")


@dataclass(frozen=True)
class Shown:
    """A message as a player sees it now: its text, its buttons (label by token)."""

    text: str
    buttons: Mapping[str, str]
    message: object = field(repr=False)

    def token(self, label: str) -> str:
        """Gives the token of the button with this label."""
        return next(token for token, each in self.buttons.items() if each == label)


@dataclass(frozen=True)
class Read:
    """Something that reached a person, and when (Unix seconds)."""

    at: float
    text: str


class Person(Protocol):
    """A player in the chat."""

    @property
    def name(self) -> str: ...

    async def types(self, line: str) -> str:
        """Type a command; gives what they were told alone at once, if anything."""

    async def public(self) -> Sequence[Shown]:
        """What the bot shows to everyone, oldest first."""

    async def private(self) -> Sequence[Shown]:
        """What the bot shows to them alone, oldest first."""

    async def presses(self, shown: Shown, token: str) -> str:
        """Press a button that is there; gives the notice that came with the answer, or an empty text."""

    async def forces(self, shown: Shown, token: str) -> str:
        """Press a button that may not be there (any more), as a belated or wild client does.

        Gives the notice that follows.
        """

    async def looks(self) -> None:
        """Asks for one's hand, where a chat brings it no oftener than once a second."""

    def has_read(self) -> Sequence[Read]:
        """Everything that ever reached them, edited or deleted since or not."""

    async def keeps(self) -> Sequence[Shown]:
        """The private messages that stay: without what a chat shows for a moment only."""

    def rang(self) -> Sequence[str]:
        """Every private message as it was when it came: no edit of it makes a phone ring again."""


class Chat(Protocol):
    """A place where people and the bot meet."""

    settings: Mapping[str, str]  # what the bot's environment must hold

    admits_the_nameless: bool

    async def met(self, bot: BotProcess) -> None:
        """The bot has started."""

    async def newcomer(self, name: str) -> Person:
        """A player enters the room."""


async def hand_button(person: Person) -> tuple[Shown, str] | None:
    """The button that shows one's hand, as if it stood on the hand itself: so the answer comes at once."""
    hands = [shown for shown in await person.private() if SUITS & set(shown.text)]
    tokens = [token for shown in await person.public() for token in shown.buttons if token.startswith("h:")]
    return (hands[-1], tokens[-1]) if hands and tokens else None
