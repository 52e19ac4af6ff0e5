"""Rings when a table looks different: the announcer of the engine's tables, inside one process."""

from collections.abc import Callable

Listener = Callable[[int], None]


class Bell:
    """Tells everybody who listens which table changed; listeners take a note and return at once."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []

    def subscribe(self, listener: Listener) -> None:
        """Call `listener` with the table's id from now on."""
        self._listeners.append(listener)

    def changed(self, table: int, version: int = 0) -> None:  # noqa: ARG002 - listeners ask for the newest
        """Tell that a table changed; `version` is what the engine's announcer port hands over."""
        for listener in self._listeners:
            listener(table)
