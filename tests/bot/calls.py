"""Counts function calls, so that a test can compare the cost of an answer among few and among many."""

import gc
import sys
from collections.abc import Callable


def calls(asked: Callable[[], object]) -> int:
    """Returns the number of function calls during an answer."""
    counted: list[str] = []
    gc.collect()
    gc.disable()  # finalizers also call functions, at any moment
    sys.setprofile(lambda _frame, what, _function: counted.append(what))
    try:
        asked()
    finally:
        sys.setprofile(None)
        gc.enable()

    return sum(what.endswith("call") for what in counted)
