"""The text of a game: an opening, from which the deal can be made again, and the actions.

seal 9c1185a5c5e9fc54612808977ee8f548b2258d31f2d1c9f7b3a1c4fb1c8a5f0e
# a line for people
players=2 dealer=1 seed=4f2a salt=room-9 rules: podkidnoy-36 transfer=on
0 A 6S
1 D 6S 8S
0 resigns
end 3

The last line has the number of actions; records of earlier versions lack it. The line before it, such as
`stopped by agreement`, ends a game that was not played out; `Stop` lists the reasons.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum, StrEnum, auto

from engine.rules.deal import SHORT_SEAL_DIGITS, seed_hash
from engine.rules.errors import InvalidTextError
from engine.rules.events import Outcome, Seat
from engine.rules.moves import Action, parse_action
from engine.rules.opening import Opening
from engine.rules.state import State, Step

_SEAL = "seal "
_REMARK = "#"
_END = "end "
_STOP = "stopped by "
_SEAL_LENGTHS = (64, SHORT_SEAL_DIGITS)  # records of earlier versions have the short form
_MAX_DIGITS = 9


class LineKind(Enum):
    """The kinds of lines in a record."""

    SEAL = auto()
    REMARK = auto()
    OPENING = auto()
    ACTION = auto()
    STOP = auto()
    END = auto()


class Stop(StrEnum):
    """Why a game was stopped.

    Attributes:
        AGREEMENT: All its players agreed to stop.
        MODERATOR: An admin stopped it.
        DELETION: The chat where it was played was deleted.
        ABSENCE: Its players did not come back.
        TIME: The round of its cup ended before the game did.
    """

    AGREEMENT = auto()
    MODERATOR = auto()
    DELETION = auto()
    ABSENCE = auto()
    TIME = auto()


@dataclass(frozen=True, slots=True)
class Record:
    """A game as it was played: its opening, and the actions of its seats.

    `seal` is the hash of the seed (64 hexadecimal digits), in records of earlier versions its first 32
    digits; empty if the seed was not sealed. `remarks` are lines for people. `stopped` is the reason if the
    game was stopped before its end.
    """

    opening: Opening
    actions: tuple[tuple[Seat, Action], ...] = ()
    seal: str = ""
    remarks: tuple[str, ...] = ()
    stopped: Stop | None = None

    def plus(self, seat: Seat, action: Action) -> "Record":
        """Returns the record with one more action."""
        return replace(self, actions=(*self.actions, (seat, action)))

    def steps(self) -> Iterator[Step]:
        """Plays the actions and yields each step; raises IllegalMoveError."""
        state = self.opening.deal()
        for seat, action in self.actions:
            step = state.act(seat, action)
            state = step.state
            yield step

    def replay(self) -> State:
        """Returns the position after the last action."""
        state = self.opening.deal()
        for step in self.steps():
            state = step.state
        return state

    def to_text(self) -> str:
        """Writes the record in the format of the module's docstring."""
        seal = [f"{_SEAL}{self.seal}"] if self.seal else []
        remarks = [f"{_REMARK} {remark}" for remark in self.remarks]
        actions = [f"{seat} {action}" for seat, action in self.actions]
        stop = [f"{_STOP}{self.stopped}"] if self.stopped else []
        end = f"{_END}{len(actions)}"
        return "\n".join([*seal, *remarks, str(self.opening), *actions, *stop, end]) + "\n"

    @staticmethod
    def from_text(text: str) -> "Record":
        """Reads the text of `to_text`; raises InvalidTextError with line and column."""
        seal = ""
        remarks = []
        opening = None
        stop = None
        actions: list[tuple[Seat, Action]] = []

        for number, kind, line in lines_of(text):
            match kind:
                case LineKind.REMARK:
                    remarks.append(line.removeprefix(_REMARK).strip())
                case LineKind.SEAL:
                    seal = _seal(line, number, seal)
                case LineKind.OPENING:
                    opening = _opening(line, number)
                case LineKind.ACTION | LineKind.STOP if stop:
                    raise InvalidTextError("nothing happens in a game that was stopped", number)
                case LineKind.STOP:
                    stop = _stop(line, number)
                case LineKind.ACTION:
                    actions.append(_action(line, number))
                case _:  # the end
                    _check_end(line, number, len(actions))

        if opening is None:
            raise InvalidTextError("a record needs the line of its opening")

        return Record(opening, tuple(actions), seal, tuple(remarks), stop)


def lines_of(text: str) -> Iterator[tuple[int, LineKind, str]]:
    """Yields the non-empty lines of a record with number (from 1) and kind; raises InvalidTextError."""
    has_opening = False
    has_ended = False
    for number, raw_line in enumerate(text.split("\n"), 1):
        line = raw_line.removesuffix("\r")
        if line and has_ended:
            raise InvalidTextError("nothing can stand after the end of a record", number)

        if line.startswith(_REMARK):
            yield number, LineKind.REMARK, line
        elif line.startswith(_SEAL):
            yield number, LineKind.SEAL, line
        elif line.startswith(_END):
            has_ended = True
            yield number, LineKind.END, line
        elif line.startswith(_STOP) and has_opening:
            yield number, LineKind.STOP, line
        elif line and not has_opening:
            has_opening = True
            yield number, LineKind.OPENING, line
        elif line:
            yield number, LineKind.ACTION, line


def _seal(line: str, number: int, before: str) -> str:
    if before:
        raise InvalidTextError("a record has one seal, this is a second one", number)

    seal = line.removeprefix(_SEAL)
    if len(seal) not in _SEAL_LENGTHS or not re.fullmatch("[0-9a-f]+", seal):
        sentence = "a seal has 64 digits from 0 to f (32 in records of earlier versions)"
        raise InvalidTextError(sentence, number, len(_SEAL) + 1)

    return seal


def _opening(line: str, number: int) -> Opening:
    try:
        return Opening.from_text(line)
    except InvalidTextError as error:
        raise error.at(number, 1) from None


def _action(line: str, number: int) -> tuple[Seat, Action]:
    seat, _, action = line.partition(" ")
    if not (seat.isascii() and seat.isdecimal() and len(seat) <= _MAX_DIGITS):
        raise InvalidTextError(f"{seat!r} is not the number of a seat", number)

    try:
        return int(seat), parse_action(action)
    except InvalidTextError as error:
        raise error.at(number, len(seat) + 2) from None


def _stop(line: str, number: int) -> Stop:
    try:
        return Stop(line.removeprefix(_STOP))
    except ValueError:
        sentence = f"a game is stopped by {' or '.join(Stop)}"
        raise InvalidTextError(sentence, number, len(_STOP) + 1) from None


def _check_end(line: str, number: int, actions: int) -> None:
    if line.removeprefix(_END) != str(actions):
        sentence = f"there are {actions} moves, and not as many as the end says"
        raise InvalidTextError(sentence, number, len(_END) + 1)


def replay(text: str) -> State:
    """Plays a record's text to its last position; raises InvalidTextError or IllegalMoveError."""
    return Record.from_text(text).replay()


# --- Verification: the seal, the deal, every action, the end ---


class SealCheck(Enum):
    """Whether the seed matches the seal.

    SHORT: the first half of its hash matches; records of earlier versions contain no more.
    """

    WHOLE = auto()
    SHORT = auto()
    MISSING = auto()
    BROKEN = auto()


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of checking a record."""

    seal: SealCheck  # whether the seed is the sealed one
    legal: int = 0  # how many actions are legal, up to the first illegal one
    problem: str = ""  # why the deal or the next action is impossible; empty if there is no problem
    is_dealt: bool = True  # whether the deal is possible
    outcome: Outcome | None = None  # how the game ended; None if it did not
    stopped: Stop | None = None  # the reason, if it was stopped before its end

    @property
    def is_sealed(self) -> bool:
        """Whether the seed matches the seal, whole or short."""
        return self.seal in {SealCheck.WHOLE, SealCheck.SHORT}

    @property
    def is_played(self) -> bool:
        """Whether every action is legal, and the game either ended or was stopped."""
        return not self.problem and (self.outcome is None) is (self.stopped is not None)

    @property
    def holds(self) -> bool:
        """Whether both the seal and the game are valid."""
        return self.is_sealed and self.is_played


def verify(record: Record) -> Verification:
    """Checks a record: compares the seal, deals again, and replays every action."""
    seal = _is_sealed(record)
    legal = 0
    try:
        state = record.opening.deal()
    except ValueError as error:
        return Verification(seal, problem=str(error), is_dealt=False)

    try:
        for step in record.steps():
            state = step.state
            legal = legal + 1
    except ValueError as error:
        return Verification(seal, legal, str(error))

    return Verification(seal, legal, outcome=state.outcome(), stopped=record.stopped)


def _is_sealed(record: Record) -> SealCheck:
    if not record.seal:
        return SealCheck.MISSING

    digest = seed_hash(record.opening.seed)
    if record.seal == digest:
        return SealCheck.WHOLE

    return SealCheck.SHORT if record.seal == digest[:SHORT_SEAL_DIGITS] else SealCheck.BROKEN
