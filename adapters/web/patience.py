"""How much one guest may say."""

BURST = 10
"""Lines at once."""

SECONDS = 1.0
"""After a burst: one line each this many seconds."""


class Patience:
    """A token bucket for the lines of one guest."""

    def __init__(self) -> None:
        self._left = float(BURST)
        self._counted_at = float("-inf")

    def allows(self, now: float) -> bool:
        """Whether another line may be said at `now` (seconds of any steady clock); if so, it is counted."""
        self._left = min(BURST, self._left + (now - self._counted_at) / SECONDS)
        self._counted_at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
