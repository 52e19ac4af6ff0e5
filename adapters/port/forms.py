"""Choices as a form, for chats that can show one in place of buttons that open one another."""

from dataclasses import dataclass

from adapters.port.rule_sets import RuleSketch
from adapters.port.screens import CallbackButton


@dataclass(frozen=True, slots=True)
class FormChoice:
    """A value of a field: `token` comes back in a `Press`, `told` says what choosing it means.

    Rules have a `sketch` besides.
    """

    token: str
    label: str
    told: str = ""
    sketch: RuleSketch | None = None


@dataclass(frozen=True, slots=True)
class FormField:
    """Something to choose; `chosen` is the place of the choice that holds now, None if it is none of them.

    A field `is_switch` if it is on or off, in this order.
    """

    label: str
    choices: tuple[FormChoice, ...]
    chosen: int | None
    is_switch: bool = False


@dataclass(frozen=True, slots=True)
class Form:
    """Fields that stand together; `others` are buttons that lead to further ones."""

    title: str
    told: str
    fields: tuple[FormField, ...]
    others: tuple[CallbackButton, ...]
