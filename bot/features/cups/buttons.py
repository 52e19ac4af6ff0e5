"""The buttons of a cup."""

from dataclasses import dataclass
from enum import StrEnum, auto

from bot.model.buttons import Button


class CupAction(StrEnum):
    """The actions of a cup's buttons."""

    JOIN = auto()
    LEAVE = auto()
    BEGIN = auto()
    CALL_OFF = "off"


@dataclass(frozen=True)
class ChangeCup(Button, prefix="f"):
    """Sign up for a cup, leave it or, as its host, begin it or call it off."""

    number: int
    action: CupAction
