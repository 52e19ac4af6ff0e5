"""Tells when what people see of a table has to be looked at again: the announcer of the engine's sessions."""

from collections.abc import Callable

from bot.model.message_slots import MessageSlot


def _ignore(_: object) -> None:
    """Take no note."""


class TableEvents:
    """Tells everybody who listens what happened; listeners take a note and return at once."""

    def __init__(self) -> None:
        self._on_changed: list[Callable[[int], None]] = []
        self._on_evicted: list[Callable[[int], None]] = []
        self._on_outdated: list[Callable[[MessageSlot], None]] = []

    def subscribe(
        self,
        *,
        changed: Callable[[int], None] = _ignore,
        evicted: Callable[[int], None] = _ignore,
        outdated: Callable[[MessageSlot], None] = _ignore,
    ) -> None:
        """Call these from now on, each with what it happened to."""
        self._on_changed.append(changed)
        self._on_evicted.append(evicted)
        self._on_outdated.append(outdated)

    def changed(self, table_id: int, version: int = 0) -> None:  # listeners ask for the newest
        """Tell that a table looks different; `version` is what the engine's announcer port hands over."""
        for listener in self._on_changed:
            listener(table_id)

    def evicted(self, table_id: int) -> None:
        """Tell that nobody needs a table any more; whoever asks for it again finds it on disk."""
        for listener in self._on_evicted:
            listener(table_id)

    def outdated(self, slot: MessageSlot) -> None:
        """Tell that a message has to come anew, where it is seen at once."""
        for listener in self._on_outdated:
            listener(slot)
