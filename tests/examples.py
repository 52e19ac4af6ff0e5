"""How many examples the tests draw: few in every run, and always the same; many and new ones when asked.

`pytest --hypothesis-profile=thorough` asks. `tests/conftest.py` makes the profiles known.
"""

from collections.abc import Sequence
from typing import TypeVar

from hypothesis import HealthCheck, settings

T = TypeVar("T")

EVERYDAY = "everyday"
THOROUGH = "thorough"

THOROUGH_EXAMPLES = 100  # how many examples a test draws in a thorough run that says nothing else
FEWEST = 2  # the first example is the simplest one of all, so one alone would show little


def register_profiles() -> None:
    """Makes the profiles known to Hypothesis, and chooses the one for every day."""
    settings.register_profile(THOROUGH, max_examples=THOROUGH_EXAMPLES)
    settings.register_profile(
        EVERYDAY, max_examples=THOROUGH_EXAMPLES // 6, derandomize=True, database=None, deadline=None
    )
    settings.load_profile(EVERYDAY)


def some(values: Sequence[T]) -> Sequence[T]:
    """Returns the first and the last; all of them in a thorough run."""
    is_thorough = settings().max_examples >= THOROUGH_EXAMPLES
    return values if is_thorough else tuple(dict.fromkeys((values[0], values[-1])))


def share(thorough: int) -> int:
    """Returns this run's part of what a thorough run does so many times."""
    return max(FEWEST, thorough * settings().max_examples // THOROUGH_EXAMPLES)


def examples(thorough: int, *suppressed: HealthCheck) -> settings:
    """Returns the settings of a test that draws so many examples in a thorough run."""
    return settings(
        max_examples=share(thorough),
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, *suppressed],
    )
