"""Pauses between attempts that grow from failure to failure."""

from dataclasses import dataclass

_MAX_DOUBLINGS = 64  # far longer than any pause, and far below the range of a float


@dataclass(frozen=True, slots=True)
class Backoff:
    """Pauses in seconds: the `first`, then twice as much after each failure, but never more than `most`."""

    first: float
    most: float

    def pause(self, failures: int) -> float:
        """Returns the seconds to wait after so many failures in a row.

        >>> backoff = Backoff(first=1.0, most=300.0)
        >>> [backoff.pause(failures) for failures in (1, 2, 3, 10_000)]
        [1.0, 2.0, 4.0, 300.0]
        """
        doublings = min(failures - 1, _MAX_DOUBLINGS)
        return min(self.first * 2.0**doublings, self.most)
