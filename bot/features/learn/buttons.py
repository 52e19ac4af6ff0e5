"""The buttons of a lesson; each holds its place there, so that nothing has to be kept."""

from dataclasses import dataclass, field

from bot.model.buttons import Button


@dataclass(frozen=True)
class OpenLesson(Button, prefix="a"):
    """Begin a lesson, counted from 0."""

    lesson: int


@dataclass(frozen=True)
class PlayLesson(Button, prefix="y"):
    """Play the move with this text at a turn of a lesson, both counted from 0.

    `misses` counts the other moves tried there before.
    """

    lesson: int
    turn: int
    misses: int = field(default=0, kw_only=True, metadata={"sign": "-"})
    move: str
