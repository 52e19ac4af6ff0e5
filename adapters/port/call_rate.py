"""The number of calls per second that a platform accepts from the whole bot, learned from its refusals."""

MIN_CALL_RATE = 20
MAX_CALL_RATE = 300

RAISE_SECONDS = 10.0  # the rate rises after calls have waited this long without a refusal
HOLD_RAISES = 5  # the number of raises to skip just below the last refused rate
KEPT = 0.75  # the share of a refused rate to fall to
HELD = 0.95  # the share of a refused rate to hold, once the platform has accepted `KEPT` again


class CallRate:
    """A rate of calls that rises while nothing else delays calls, and falls after a refusal.

    Raises are by one, by two, and so on, to find a large limit within minutes. After a refusal the rate
    falls to three quarters of the refused rate, but not below `MIN_CALL_RATE`. It then rises to just below
    the refused rate and stays there for a while.
    """

    def __init__(self, calls: int) -> None:
        self.calls = calls
        self._waited = 0.0
        self._step = 1
        self._refused: int | None = None
        self._held = 0

    def restore(self, calls: int) -> None:
        """Continues with the rate that an earlier process learned, within the bounds."""
        self.calls = min(max(calls, MIN_CALL_RATE), MAX_CALL_RATE)

    def wait(self, seconds: float) -> bool:
        """Counts seconds in which only the rate delayed calls; returns whether the rate rose."""
        self._waited += seconds
        if self._waited < RAISE_SECONDS:
            return False

        self._waited = 0.0
        before = self.calls
        self._raise()
        return self.calls > before

    def lower(self, rate: int) -> None:
        """Lowers the rate after a refusal; `rate` is the number of calls sent within the last second."""
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
