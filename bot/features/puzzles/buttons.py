"""The buttons under a puzzle: its moves."""

from dataclasses import dataclass

from bot.model.buttons import Button


@dataclass(frozen=True)
class AnswerPuzzle(Button, prefix="z"):
    """Answer a puzzle with this move, in text form."""

    puzzle: int
    move: str
