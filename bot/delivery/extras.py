"""Hooks by which features add to a table's public messages, on servers that enable them."""

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from bot.model.server_choices import ServerChoice, ServerChoices
from bot.screens.story import Scene
from bot.screens.table import TableExtra
from bot.screens.text import Line
from engine import Outcome
from engine.runtime import Game


class AtTheTable(Protocol):
    """Adds a line or a button to a running table."""

    def __call__(self, scene: Scene) -> TableExtra:
        """Returns the line and the button; both are empty if there is nothing to add."""


class UnderTheResult(Protocol):
    """Adds a line to the result of a game."""

    def __call__(self, scene: Scene, game: Game, outcome: Outcome) -> Awaitable[Line]:
        """Returns the line; empty if there is nothing to add."""


@dataclass(frozen=True, slots=True)
class Extras:
    """The hooks of all features in order, each with the setting that enables it."""

    at_the_table: list[tuple[ServerChoice, AtTheTable]] = field(default_factory=list)
    under_the_result: list[tuple[ServerChoice, UnderTheResult]] = field(default_factory=list)

    def of_table(self, scene: Scene, choices: ServerChoices) -> Sequence[TableExtra]:
        """Returns what the enabled features add to a running table."""
        return [hook(scene) for setting, hook in self.at_the_table if choices.wants(setting)]

    async def of_result(
        self, scene: Scene, game: Game, outcome: Outcome, choices: ServerChoices
    ) -> Sequence[Line]:
        """Returns the lines that the enabled features add to the result of a game."""
        hooks = [hook for setting, hook in self.under_the_result if choices.wants(setting)]
        return [await hook(scene, game, outcome) for hook in hooks]
