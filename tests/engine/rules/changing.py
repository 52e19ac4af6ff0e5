"""Positions that differ from another one in some facts, whether or not a game can come there."""

from typing import Any

from engine import State
from engine.rules.legal import find_who_acts
from engine.rules.state import frozen


def changed(state: State, **facts: Any) -> State:
    """Return the position with other facts."""
    after = state.copy()
    for name, fact in facts.items():
        assert hasattr(after, name)
        setattr(after, name, fact)
    find_who_acts(after)
    return frozen(after)
