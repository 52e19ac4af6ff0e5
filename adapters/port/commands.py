"""Commands, as the chats announce them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto


class ArgumentKind(Enum):
    """What a command's argument may be."""

    TEXT = auto()
    CHOICE = auto()
    PERSON = auto()
    SUGGESTED = auto()  # any text; the bot suggests some while it is typed, where a chat can ask


@dataclass(frozen=True, slots=True)
class ArgumentSpec:
    """One optional argument of a command: `choices` for CHOICE only, `summaries` as for a command."""

    name: str
    summary: str
    kind: ArgumentKind = ArgumentKind.TEXT
    choices: tuple[str, ...] = ()
    summaries: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A text that an argument could be, and what it is called for who types."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class CommandSpec:
    """A command for the chat's menu; `summaries` holds the translations of `summary` by locale.

    `is_personal`: its answer is for who typed it and for nobody else.
    """

    name: str
    summary: str
    arguments: tuple[ArgumentSpec, ...] = ()
    summaries: Mapping[str, str] = field(default_factory=dict)
    is_personal: bool = False
