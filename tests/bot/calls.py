"""Counts what an answer takes, so that a test can say that it takes the same among many as among few."""

import sys
from collections.abc import Callable


def calls(asked: Callable[[], object]) -> int:
    """How many functions are called to answer."""
    counted: list[str] = []
    sys.setprofile(lambda _frame, what, _function: counted.append(what))
    try:
        asked()
    finally:
        sys.setprofile(None)

    return sum(what.endswith("call") for what in counted)
