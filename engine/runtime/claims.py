"""Claims made at the same moment: whoever comes first in the order of throwing in is heard first."""

import asyncio

SAME_MOMENT_SECONDS = 1.0
"""Seconds: presses that are no further apart are made at the same moment, as hands at a table are."""


class Claims:
    """Lets those claims of a table wait that somebody else may come before, and then go on in their order."""

    def __init__(self, moment: float) -> None:
        """Let claims wait for `moment` seconds; 0 lets nobody wait."""
        self._moment = moment
        self._waiting: list[tuple[int, asyncio.Future[None]]] = []

    async def in_turn(self, place: int) -> None:
        """Wait until the moment is over in which the first of the waiting claims was made.

        Args:
            place: The place in the order; whoever is at place 0 need not wait.
        """
        if not place or not self._moment:
            return
        loop = asyncio.get_running_loop()
        if not self._waiting:
            loop.call_later(self._moment, self._go_on)
        turn = loop.create_future()
        self._waiting.append((place, turn))
        await turn

    def _go_on(self) -> None:
        """Wake the waiting in their order; they take the table's lock in the order in which they wake."""
        waiting, self._waiting = sorted(self._waiting, key=lambda claim: claim[0]), []
        for _, turn in waiting:
            if not turn.done():  # whoever made the claim may be gone
                turn.set_result(None)
