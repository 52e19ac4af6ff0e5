"""A feature: something that a server could do without, and a game would still be a whole game."""

from dataclasses import dataclass
from types import ModuleType


@dataclass(frozen=True, slots=True)
class Feature:
    """What a feature gives to the core, and nothing else.

    Attributes:
        name: The name of its folder.
        handlers: The module with its commands, buttons and appointments.
    """

    name: str
    handlers: ModuleType | None = None
