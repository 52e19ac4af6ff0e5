"""A table at one moment, for all messages that show it."""

from collections.abc import Mapping
from dataclasses import dataclass

from adapters.port import MessageRef, UserRef
from bot.delivery.messages import Message
from bot.model.messages import MessageKind, MessageSlot
from bot.model.people import ServerChoices
from bot.model.table import Table
from bot.screens.result import GameEnd
from bot.screens.story import Scene
from engine.runtime import Game, GameSession


@dataclass(frozen=True, slots=True)
class Moment:
    """A table at one moment, looked up once for all messages that show it."""

    table: Table  # with its people
    messages: Mapping[MessageSlot, Message]  # its messages, which are kept up to date
    choices: ServerChoices  # the choices of its server
    session: GameSession | None = None  # its cards; None if they can't be read
    game: Game | None = None  # its newest game; None before the first deal
    ended: GameEnd | None = None  # the end of that game; None while it runs
    # The public facts of the newest game; None before its deal. The deal is on disk before the beginning of
    # the game is: until both are, nothing of it is shown.
    scene: Scene | None = None

    def message(self, kind: MessageKind, game: int, user: UserRef | None = None) -> MessageRef | None:
        """Returns the message of this kind for a game; None if there is none.

        While it is posted anew, it is still the one before: else all that lead to it would change twice.
        """
        message = self.messages.get(MessageSlot(self.table.id, game, kind, user))
        return None if message is None else message.ref or message.replaced

    def is_shown(self, slot: MessageSlot) -> bool:
        """Returns whether a message shows this slot."""
        message = self.messages.get(slot)
        return message is not None and message.ref is not None
