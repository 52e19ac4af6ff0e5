"""The buttons of a lesson; each contains the place in the lesson, so that nothing has to be stored."""

from dataclasses import dataclass, field

from bot.model.buttons import Button


@dataclass(frozen=True)
class OpenLesson(Button, prefix="a"):
    """Begin a lesson, counted from 0."""

    lesson: int


@dataclass(frozen=True)
class PlayLesson(Button, prefix="y"):
    """Play the move with this text at a turn of a lesson, both counted from 0.

    `misses` counts the wrong moves already tried at this turn.
    """

    lesson: int
    turn: int
    misses: int = field(default=0, kw_only=True, metadata={"sign": "-"})
    move: str
