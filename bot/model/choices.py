"""The choices for a table: rules with their name, and options that are not rules of the game."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import engine


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Rules for a table: their name, and the choices that come with them."""

    name: str  # a preset, or a variation of the server
    rules: engine.Rules
    house_rules: engine.Rules | None = None  # the rules of `name`, if it is a variation
    # Choices for the table that came with the rules, by the names of `TableOptions`.
    choices: Mapping[str, Any] = field(default_factory=dict)
    # The server's default that these rules replace, as it can no longer be played.
    unplayable: str = ""


# Seconds for throwing in, in games with a clock: usually, and if only one player may.
DEFAULT_MOMENT = 10
DEFAULT_MOMENT_ALONE = 20

# Choices of earlier versions, and their successors.
REPLACED: Mapping[str, str] = {"auto_done": "throw_in_seconds"}

# The choices, by the names of `TableOptions`.
CHOICES: Mapping[str, tuple[object, ...]] = {
    "clock": (60, 120, 300, 900, 0),
    "throw_in_seconds": (10, 20, 30, 60, 0),
    "strength": tuple(engine.STRENGTHS),
    "hints": (True, False),
}


@dataclass(frozen=True, slots=True)
class TableOptions:
    """Choices of a table that are not rules of the game."""

    clock: int = 120  # seconds after which the table moves for an absent player; 0: a game may last for days
    # Seconds after which the table passes for all players able to throw in; 0: it waits for each of them;
    # None: `DEFAULT_MOMENT` or `DEFAULT_MOMENT_ALONE` if there is a clock, otherwise 0.
    throw_in_seconds: int | None = None
    strength: str = "regular"  # how well its house players play, by the names of the engine
    # While paused, a full lobby does not start by itself; in a game nobody is called, the table does not move
    # for absent players, and house players wait.
    is_paused: bool = False
    hints: bool = True  # let people ask for an expert's move

    def value_of(self, name: str) -> object:
        """Returns the effective value of a choice; of the time for throwing in, that for several players."""
        return self.moment_for(2) if name == "throw_in_seconds" else getattr(self, name)

    def moment_for(self, players: int) -> int:
        """Returns the seconds for which so many players may throw in; 0: until all have passed."""
        if self.throw_in_seconds is not None:
            return self.throw_in_seconds
        if not self.clock:
            return 0
        return DEFAULT_MOMENT_ALONE if players == 1 else DEFAULT_MOMENT


def read_choice(name: str, text: str | None) -> object:
    """Parses a choice as people type it; a clock may be in minutes or in seconds.

    Raises:
        InvalidSettingError: It has no such value; the error lists those it has.

    >>> read_choice("clock", "5"), read_choice("clock", "off"), read_choice("hints", "no")
    (300, 0, False)
    """
    for value in CHOICES[name]:
        if text is not None and text.lower() in _spellings(name, value):
            return value

    problem = engine.SettingProblem.NO_VALUE if text is None else engine.SettingProblem.WRONG_VALUE
    valid = tuple(_spellings(name, value)[0] for value in CHOICES[name])
    raise engine.InvalidSettingError(problem, name, text, valid)


def _spellings(name: str, value: object) -> tuple[str, ...]:
    """Returns what people may type for a value, the plainest first."""
    if isinstance(value, bool):
        return ("on", "yes", "true", "1") if value else ("off", "no", "false", "0")

    if name == "clock" and isinstance(value, int):
        minutes = value // 60
        return (
            (f"{minutes}min", str(minutes), f"{minutes}m", str(value), f"{value}s")
            if value
            else ("off", "none", "no", "0")
        )

    if name == "throw_in_seconds":
        return (f"{value}s", str(value)) if value else ("off", "none", "no", "0")

    return (engine.value_text(value),)
