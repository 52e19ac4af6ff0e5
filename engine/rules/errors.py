"""Errors for unreadable texts, impossible rules and illegal moves."""

from collections.abc import Iterable
from difflib import get_close_matches
from enum import Enum, auto
from typing import Any

_MAX_WORD_LENGTH = 40  # characters that are compared


class InvalidTextError(ValueError):
    """A text that cannot be read; `line` and `column` (from 1) give the place."""

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.message}"

    def at(self, line: int, column: int) -> "InvalidTextError":
        """Returns the error as part of a longer text, in which this one begins at a line and column."""
        shift = column - 1 if self.line == 1 else 0
        return InvalidTextError(self.message, self.line + line - 1, self.column + shift)


def nearest(word: str, words: Iterable[str]) -> tuple[str, ...]:
    """Returns up to three of `words` that are most similar to an unknown word, the most similar first."""
    return tuple(get_close_matches(word[:_MAX_WORD_LENGTH].lower(), list(words), n=3, cutoff=0.0))


class SettingProblem(Enum):
    """Why the text of a setting is invalid."""

    UNKNOWN_SETTING = auto()
    NO_VALUE = auto()
    WRONG_VALUE = auto()


_SETTING_MESSAGES = {
    SettingProblem.UNKNOWN_SETTING: "There is no setting “{setting}”; the nearest are: {valid}",
    SettingProblem.NO_VALUE: "{setting} needs a value, as in {setting}=…; it can be: {valid}",
    SettingProblem.WRONG_VALUE: "{setting} cannot be “{value}”; it can be: {valid}",
}


class InvalidSettingError(InvalidTextError):
    """The text of an invalid setting, such as `deck=53`.

    `setting` and `value` are the words read; `value` is None if there was none. `valid` are the valid values,
    or the settings nearest to an unknown one.
    """

    def __init__(
        self,
        problem: SettingProblem,
        setting: str,
        value: str | None,
        valid: tuple[str, ...],
        column: int = 1,
    ) -> None:
        message = _SETTING_MESSAGES[problem].format(setting=setting, value=value, valid=", ".join(valid))
        super().__init__(message, 1, column)
        self.problem = problem
        self.setting = setting
        self.value = value
        self.valid = valid

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the constructor's arguments, so that the error can cross processes."""
        return type(self), (self.problem, self.setting, self.value, self.valid), vars(self)


class InvalidRulesError(ValueError):
    """Rules that cannot be played, or not by this number of players; the message holds the reasons."""


class Reason(Enum):
    """Why a move is refused (rule 15.2); the sentences for people are in `bot/screens/refusals.py`."""

    GAME_OVER = auto()
    NO_SUCH_SEAT = auto()
    OUT_OF_GAME = auto()
    NOT_YOUR_TURN = auto()
    NOT_ATTACKER = auto()
    NOT_DEFENDER = auto()
    DEFENDER_CANNOT_ATTACK = auto()
    TEAMMATE = auto()
    NOT_IN_HAND = auto()
    OPENING_ONE_CARD = auto()
    ONE_RANK = auto()
    ONE_AT_A_TIME = auto()
    THROW_IN_OFF = auto()
    NOT_A_HELPER = auto()
    TOO_EARLY = auto()
    AFTER_TAKE = auto()
    RANK_NOT_ON_TABLE = auto()
    LIMIT = auto()
    WAIT_FOR_OTHERS = auto()
    ALREADY_DONE = auto()
    NOTHING_TO_DECLINE = auto()
    NO_SUCH_ATTACK = auto()
    DOES_NOT_BEAT = auto()
    NOTHING_TO_TAKE = auto()
    ALREADY_TAKING = auto()
    MUST_BEAT = auto()
    TRANSFER_OFF = auto()
    TRANSFER_RANK = auto()
    TRANSFER_TOO_LATE = auto()
    TRANSFER_ONE_CARD = auto()
    TRANSFER_NO_ROOM = auto()
    TRANSFER_FIRST_BOUT = auto()
    SHOW_OFF = auto()
    SHOW_WRONG_CARD = auto()
    SHOWN_ALREADY = auto()
    LAY_AWAY_OFF = auto()
    NOT_FOUR = auto()
    TABLE_NOT_EMPTY = auto()
    KEEP_A_CARD = auto()
    EXCHANGE_OFF = auto()
    NO_EXCHANGE = auto()
    REDEAL_OFF = auto()
    NO_REDEAL = auto()
    KEPT_ALREADY = auto()
    NOT_ALL_KEPT = auto()
    CHEATING_OFF = auto()
    ACCUSE_AGAIN = auto()
    NO_CARD_TO_ACCUSE = auto()
    OWN_CARD = auto()


class IllegalMoveError(ValueError):
    """A readable but illegal move; `position` contains hidden cards, the message does not."""

    def __init__(self, reason: Reason, seat: int, move: str, position: str) -> None:
        super().__init__(f"seat {seat} may not play {move!r}: {reason.name}")
        self.reason = reason
        self.seat = seat
        self.move = move
        self.position = position

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the constructor's arguments, so that the error can cross processes."""
        return type(self), (self.reason, self.seat, self.move, self.position)
