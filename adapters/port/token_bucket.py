"""How often something may happen: a token bucket, without a clock of its own."""

from adapters.port.limits import Budget


class TokenBucket:
    """A budget and what is left of it: `burst` tokens at most, and a new one each `seconds`.

    Each method is told the time `now` in seconds, by a clock that never goes back. A budget of no seconds is
    never used up.
    """

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._tokens = float(budget.burst)
        self._counted_at = 0.0

    def tokens(self, now: float) -> float:
        """Return how many tokens are left; fewer than none where more were taken than there were."""
        earned = (
            (now - self._counted_at) / self._budget.seconds if self._budget.seconds else self._budget.burst
        )
        self._tokens = min(self._budget.burst, self._tokens + earned)
        self._counted_at = now
        return self._tokens

    def is_full(self, now: float) -> bool:
        """Return whether a new bucket would be no other than this one."""
        return self.tokens(now) >= self._budget.burst

    def wait(self, now: float) -> float:
        """Return after how many seconds the next token is there."""
        return max(0.0, 1 - self.tokens(now)) * self._budget.seconds

    def take(self, now: float) -> None:
        """Take a token, also where none is left; what is owed never exceeds one burst."""
        self._tokens = max(self.tokens(now) - 1, -self._budget.burst)
