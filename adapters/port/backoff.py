"""Growing pauses between attempts that fail."""

from dataclasses import dataclass

_MAX_DOUBLINGS = 64  # beyond any pause, and well within the range of a float


@dataclass(frozen=True, slots=True)
class Backoff:
    """Pauses in seconds, starting with `first` and doubling after each failure, up to `most`."""

    first: float
    most: float

    def pause(self, failures: int) -> float:
        """Returns the seconds to wait after this many failures in a row.

        >>> backoff = Backoff(first=1.0, most=300.0)
        >>> [backoff.pause(failures) for failures in (1, 2, 3, 10_000)]
        [1.0, 2.0, 4.0, 300.0]
        """
        doublings = min(failures - 1, _MAX_DOUBLINGS)
        return min(self.first * 2.0**doublings, self.most)
