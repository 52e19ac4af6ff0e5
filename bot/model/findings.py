"""What a look back at a game has found."""

from enum import Enum, auto

from engine import Regret


class NoFindings(Enum):
    """Why nobody can say what somebody's moves cost."""

    NO_CHOICE = auto()  # they never chose between moves: others moved for them, or it was over too soon
    NO_LOOK_AHEAD = auto()  # an expert cannot look ahead by these rules
    FAILED = auto()  # something went wrong


Findings = tuple[Regret, ...] | NoFindings
"""What a look back at a game has found: the moves that cost most, or why it could not tell."""
