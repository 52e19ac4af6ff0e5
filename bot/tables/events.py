"""The events of tables, and their listeners."""

from collections.abc import Callable
from typing import TypeVar

from bot.model.messages import TableSlot

About = TypeVar("About")


class Listeners(list[Callable[[About], object]]):
    """The listeners to one kind of event, which return at once; a call notifies all of them."""

    def __call__(self, about: About, version: int = 0) -> None:  # ignored: listeners read the newest version
        """Notifies all listeners; the engine's announcer port also passes a `version`."""
        for listener in self:
            listener(about)


class TableEvents:
    """The events of tables; also the announcer of the engine's sessions."""

    def __init__(self) -> None:
        self.changed = Listeners[int]()  # a table looks different
        self.gathers = Listeners[int]()  # a lobby, or an announced table, was read or changed
        self.opened = Listeners[int]()  # a table was just opened: it has no messages
        self.evicted = Listeners[int]()  # a table was dropped from memory; it is on disk
        self.outdated = Listeners[TableSlot]()  # a message has to be posted again, so that it is noticed
