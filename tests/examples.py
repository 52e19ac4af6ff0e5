"""Numbers of examples: few and always the same in an everyday run, many and new ones in a thorough run.

`pytest --hypothesis-profile=thorough` is a thorough run. `tests/conftest.py` registers the profiles.
"""

from collections.abc import Sequence
from typing import TypeVar

from hypothesis import HealthCheck, settings

T = TypeVar("T")

EVERYDAY = "everyday"
THOROUGH = "thorough"

THOROUGH_EXAMPLES = 100  # the default number of examples in a thorough run
MIN_EXAMPLES = 2  # the first example is the simplest one of all, so one alone would show little


def register_profiles() -> None:
    """Registers the profiles with Hypothesis, and selects the everyday one."""
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
    """Returns this run's share of a thorough run's repetitions."""
    return max(MIN_EXAMPLES, thorough * settings().max_examples // THOROUGH_EXAMPLES)


def examples(thorough: int, *suppressed: HealthCheck) -> settings:
    """Returns the settings of a test that draws so many examples in a thorough run."""
    return settings(
        max_examples=share(thorough),
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, *suppressed],
    )
