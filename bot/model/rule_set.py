"""Rules and the name they go by."""

from dataclasses import dataclass
from enum import Enum, auto

from engine import Clash, InvalidSettingError, Rules


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Rules under the name they go by; `house_rules` is set if a server has given them that name."""

    name: str
    rules: Rules
    house_rules: Rules | None = None


class NameProblem(Enum):
    """Why rules cannot be found under a name, or kept under it."""

    NO_RULE_SET = auto()
    NO_VARIATION = auto()
    UNSUITABLE = auto()
    TOO_MANY = auto()


@dataclass(frozen=True, slots=True)
class InvalidName:
    """A name of rules that means nothing or cannot be given, and the names that exist."""

    problem: NameProblem
    name: str
    existing: tuple[str, ...] = ()


class RuleSetError(ValueError):
    """Somebody asked for rules that do not exist, cannot be kept or cannot be played; `problem` tells why."""

    def __init__(self, problem: InvalidName | InvalidSettingError | Clash) -> None:
        super().__init__(str(problem))
        self.problem = problem
