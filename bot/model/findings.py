"""The findings of a review of a player's moves."""

from enum import Enum, auto

from engine import Regret


class NoFindings(Enum):
    """Why there is no review of a player's moves."""

    NO_CHOICE = auto()  # they never chose between moves: others moved for them, or it was over too soon
    NO_LOOK_AHEAD = auto()  # an expert cannot look ahead by these rules
    FAILED = auto()  # something went wrong


# The findings of a review: the moves that cost most, or why there are none.
Findings = tuple[Regret, ...] | NoFindings
