"""What each setting declares in `Rules`, so that the search, the puzzles and the screens need no lists."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import Enum, StrEnum, auto
from types import MappingProxyType
from typing import Any, TypeVar

_Value = TypeVar("_Value")
_KEY = "declaration"


class Panel(StrEnum):
    """The panel of a setting in the lobby: the most common ones, or a phase of the game."""

    COMMON = "common"
    DEAL = "deal"
    ATTACK = "attack"
    DEFENCE = "defence"
    END = "end"


class Search(Enum):
    """How the house players' search treats a setting in simulated games."""

    FOLLOWS = auto()  # the simulation plays by its value
    NEEDS_DEFAULT = auto()  # with any value but the default nothing is simulated
    LEAVES_OUT = auto()  # the simulation ignores it: it is about rare moves, or when cards may be thrown in
    UNAFFECTED = auto()  # it changes no moves: it applies outside bouts, or to what players may look at


class Ending(Enum):
    """How a setting affects possible puzzles: endings with two players left and no cards to draw."""

    DECIDES = auto()  # it can decide which move wins, so it is named beside the puzzle
    NEEDS_DEFAULT = auto()  # with any value but the default there are no puzzles: the solver isn't exact then
    UNAFFECTED = auto()  # it changes nothing between two, or only with a setting that excludes puzzles


@dataclass(frozen=True, slots=True)
class Declaration:
    """Everything that a setting declares besides its values and its default."""

    rule: str  # the rules of docs/rules.md that explain it, such as "9.6, 9.7"
    panel: Panel  # where it is in the lobby
    search: Search
    ending: Ending
    beside: str  # settings that it depends on, as in `transfer=on`


def setting(
    default: _Value,
    panel: Panel,
    search: Search,
    ending: Ending = Ending.UNAFFECTED,
    *,
    rule: str,
    beside: str = "",
) -> _Value:
    """Makes a field of `Rules`: its default, and what it declares."""
    declaration = Declaration(rule, panel, search, ending, beside)
    return field(default=default, metadata={_KEY: declaration})


def declarations_of(rules: type[Any]) -> Mapping[str, Declaration]:
    """Returns what each field of `Rules` declares, by its name.

    Raises:
        TypeError: A field was not made with `setting`.
    """
    undeclared = [each.name for each in fields(rules) if _KEY not in each.metadata]
    if undeclared:
        raise TypeError(f"{rules.__module__}: declare with `setting`: {', '.join(undeclared)}")

    return MappingProxyType({each.name: each.metadata[_KEY] for each in fields(rules)})
