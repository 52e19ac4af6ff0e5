"""The calls a second that a platform takes of a whole bot: learned from its refusals."""

MIN_CALL_RATE = 20
MAX_CALL_RATE = 300

RAISE_SECONDS = 10.0  # the wait without a refusal after which more is tried
HOLD_RAISES = 5  # so many raises are left out just below the figure that was refused last
KEPT = 0.75  # the share of a refused figure that is sent afterwards
HELD = 0.95  # the share at which the rate is held once the platform has accepted `KEPT` again


class CallRate:
    """A rate of calls that rises while they wait for it alone, and falls after a refusal.

    It rises by one, by two, and so on, to find a large limit within minutes. After a refusal it falls
    to three quarters of the calls that were sent, rises to just below them, and stays there for a while.
    """

    def __init__(self, calls: int) -> None:
        self.calls = calls
        self._waited = 0.0
        self._step = 1
        self._refused: int | None = None
        self._held = 0

    def restore(self, calls: int) -> None:
        """Continues with the rate that an earlier process had learned."""
        self.calls = min(max(calls, MIN_CALL_RATE), MAX_CALL_RATE)

    def wait(self, seconds: float) -> bool:
        """Counts a time in which calls waited for the rate alone; returns whether it rose."""
        self._waited += seconds
        if self._waited < RAISE_SECONDS:
            return False

        self._waited = 0.0
        before = self.calls
        self._raise()
        return self.calls > before

    def lower(self, rate: int) -> None:
        """Falls after a refusal: so many calls were sent within the last second."""
        self.calls = max(MIN_CALL_RATE, int(KEPT * rate))
        self._waited = 0.0
        self._step = 1
        self._refused = rate
        self._held = 0

    def _raise(self) -> None:
        if self._refused is None:
            self.calls = min(self.calls + self._step, MAX_CALL_RATE)
            self._step += 1
            return

        rate = min(int(HELD * self._refused), MAX_CALL_RATE)
        self.calls = max(self.calls, rate)
        self._held += 1
        if self._held > HOLD_RAISES:
            self._refused = None
