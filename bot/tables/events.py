"""Tells when a table looks different, and when it is let go: the announcer of the engine's tables."""

from collections.abc import Callable

Listener = Callable[[int], None]


class TableEvents:
    """Tells everybody who listens which table changed; listeners take a note and return at once."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []
        self._evictors: list[Listener] = []

    def subscribe(self, listener: Listener) -> None:
        """Call `listener` with the table's id from now on."""
        self._listeners.append(listener)

    def subscribe_to_evictions(self, listener: Listener) -> None:
        """Call `listener` with the id of a table that need not be remembered any more."""
        self._evictors.append(listener)

    def changed(self, table_id: int, version: int = 0) -> None:  # listeners ask for the newest
        """Tell that a table changed; `version` is what the engine's announcer port hands over."""
        for listener in self._listeners:
            listener(table_id)

    def evicted(self, table_id: int) -> None:
        """Tell that nobody needs a table any more; whoever asks for it again finds it on disk."""
        for listener in self._evictors:
            listener(table_id)
