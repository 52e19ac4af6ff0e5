"""The buttons of a lesson; each contains the place in the lesson, so that nothing has to be stored."""

from dataclasses import dataclass, field

from bot.features.learn.lessons import LESSONS
from bot.model.buttons import Button


@dataclass(frozen=True)
class OpenLesson(Button, prefix="a"):
    """Begin a lesson, counted from 0, of a course with so many lessons."""

    lesson: int
    course: int = field(default=len(LESSONS), metadata={"sign": "/"})


@dataclass(frozen=True)
class PlayLesson(Button, prefix="y"):
    """Play the move with this text at a turn of a lesson, both counted from 0.

    `course` is the number of lessons, and `misses` counts the wrong moves already tried at this turn.
    """

    lesson: int
    turn: int
    course: int = field(default=len(LESSONS), kw_only=True, metadata={"sign": "/"})
    misses: int = field(default=0, kw_only=True, metadata={"sign": "-"})
    move: str
