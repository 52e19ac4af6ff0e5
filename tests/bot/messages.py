"""Messages as a chat in memory holds them."""

from dataclasses import dataclass

from adapters.port import CallbackButton, MessageRef, Only, RoomRef, Screen, UserRef
from bot.model.messages import Reader

Place = RoomRef | UserRef


@dataclass(frozen=True)
class Message:
    """A message in its current form."""

    ref: MessageRef
    audience: Reader
    screen: Screen

    @property
    def text(self) -> str:
        return text_of(self.screen)

    @property
    def buttons(self) -> tuple[CallbackButton, ...]:
        return buttons_of(self.screen)


@dataclass(frozen=True)
class Sent:
    """A delivery attempt of the bot: `verb` is post, edit or delete; an answer to a press is an `answer`."""

    verb: str
    ref: MessageRef
    place: Place
    screen: Screen | None


def text_of(screen: Screen) -> str:
    return "".join(span.text for span in screen.text)


def buttons_of(screen: Screen) -> tuple[CallbackButton, ...]:
    return tuple(button for row in screen.rows for button in row if isinstance(button, CallbackButton))


def place_of(audience: Reader) -> Place:
    return audience.user if isinstance(audience, Only) else audience.room
