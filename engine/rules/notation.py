"""The text of a game: an opening, from which the deal can be made again, and what was done.

seal 9c1185a5c5e9fc54612808977ee8f548b2258d31
# what follows such a sign is for people
players=2 dealer=1 seed=4f2a salt=room-9 rules: podkidnoy-36 transfer=on
0 A 6S
1 D 6S 8S
0 resigns
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine.rules.cards import Card
from engine.rules.deal import deck_order, seed_hash
from engine.rules.errors import InvalidText
from engine.rules.moves import Action, parse_action
from engine.rules.outcome import Seat
from engine.rules.play import Step
from engine.rules.settings import Rules
from engine.rules.state import State

_RULES = "rules:"
_SEAL = "seal "
_REMARK = "#"


@dataclass(frozen=True, slots=True)
class Opening:
    """Everything that a deal follows from.

    `starters` are the seats among whom the holder of the lowest trump attacks first (one seat: that one;
    none: as in a first game), `levels` the epaulette ladder's rank of each seat (none: six), `points` what
    each seat has won in earlier games (none: nothing; the deal does not depend on them). Seed and salt hold
    no spaces.
    """

    rules: Rules
    players: int
    seed: str
    salt: str = ""
    dealer: Seat = 0
    starters: tuple[Seat, ...] = ()
    levels: tuple[int, ...] = ()
    points: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Refuses a seed or salt that its text could not carry."""
        if any(character.isspace() for character in self.seed + self.salt):
            raise ValueError("seed and salt must not hold spaces")

    @property
    def deck(self) -> tuple[Card, ...]:
        """The deck in the order in which it is dealt."""
        return deck_order(self.rules, self.players, self.seed, self.salt)

    def deal(self) -> State:
        """Deals the game; raises InvalidRules when these rules do not fit."""
        return State.deal(
            self.rules,
            self.players,
            self.deck,
            dealer=self.dealer,
            starters=self.starters,
            levels=self.levels,
        )

    def __str__(self) -> str:
        parts = [f"players={self.players}", f"dealer={self.dealer}", f"seed={self.seed}"]
        if self.salt:
            parts.append(f"salt={self.salt}")
        if self.starters:
            parts.append(f"starters={_numbers_text(self.starters)}")
        if self.levels:
            parts.append(f"levels={_numbers_text(self.levels)}")
        if any(self.points):
            parts.append(f"points={_numbers_text(self.points)}")
        return " ".join([*parts, _RULES, self.rules.to_text()])

    def to_text(self) -> str:
        """Writes the opening in one line."""
        return str(self)

    @staticmethod
    def from_text(text: str) -> "Opening":
        """Reads what `to_text` wrote; raises InvalidText."""
        head, sign, rules = text.partition(_RULES)
        parts = dict(word.partition("=")[::2] for word in head.split())
        if not sign or not parts.keys() >= {"players", "dealer", "seed"}:
            raise InvalidText("an opening needs players=, dealer=, seed= and rules:")
        try:
            return Opening(
                rules=Rules.from_text(rules),
                players=int(parts["players"]),
                seed=parts["seed"],
                salt=parts.get("salt", ""),
                dealer=int(parts["dealer"]),
                starters=_numbers(parts.get("starters", "")),
                levels=_numbers(parts.get("levels", "")),
                points=_numbers(parts.get("points", "")),
            )
        except InvalidText as error:
            raise error.at(1, len(head) + len(_RULES) + 1) from None
        except ValueError as error:
            raise InvalidText(f"the opening cannot be read: {error}") from None


def _numbers_text(numbers: tuple[int, ...]) -> str:
    return ",".join(map(str, numbers))


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(word) for word in text.split(",")) if text else ()


@dataclass(frozen=True, slots=True)
class Record:
    """A game as it was played: its opening, and who did what.

    `seal` is the hash of the seed as it was posted before the deal, or its beginning; empty if none was.
    `remarks` are lines for people.
    """

    opening: Opening
    actions: tuple[tuple[Seat, Action], ...] = ()
    seal: str = ""
    remarks: tuple[str, ...] = ()

    @property
    def is_sealed(self) -> bool:
        """Whether the seed is the one that was promised by the seal."""
        return bool(self.seal) and seed_hash(self.opening.seed).startswith(self.seal)

    def plus(self, seat: Seat, action: Action) -> "Record":
        """Gives the record with one more action."""
        return replace(self, actions=(*self.actions, (seat, action)))

    def steps(self) -> Iterator[Step]:
        """Does one action after the other; raises IllegalMove at one that is not allowed."""
        state = self.opening.deal()
        for seat, action in self.actions:
            step = state.act(seat, action)
            state = step.state
            yield step

    def replay(self) -> State:
        """Gives the position after the last action."""
        state = self.opening.deal()
        for step in self.steps():
            state = step.state
        return state

    def to_text(self) -> str:
        """Writes seal and remarks, the opening's line, then one line for each action."""
        seal = [f"{_SEAL}{self.seal}"] if self.seal else []
        remarks = [f"{_REMARK} {remark}" for remark in self.remarks]
        actions = [f"{seat} {action}" for seat, action in self.actions]
        return "\n".join([*seal, *remarks, str(self.opening), *actions]) + "\n"

    @staticmethod
    def from_text(text: str) -> "Record":
        """Reads what `to_text` wrote; raises InvalidText with line and column."""
        seal, remarks, opening = "", [], None
        actions: list[tuple[Seat, Action]] = []
        for number, line in enumerate(text.splitlines(), 1):
            if line.startswith(_REMARK):
                remarks.append(line.removeprefix(_REMARK).strip())
            elif line.startswith(_SEAL):
                seal = line.removeprefix(_SEAL).strip()
            elif line and opening is None:
                opening = _opening(line, number)
            elif line:
                actions.append(_action(line, number))
        if opening is None:
            raise InvalidText("a record needs the line of its opening")
        return Record(opening, tuple(actions), seal, tuple(remarks))


def _opening(line: str, number: int) -> Opening:
    try:
        return Opening.from_text(line)
    except InvalidText as error:
        raise error.at(number, 1) from None


def _action(line: str, number: int) -> tuple[Seat, Action]:
    seat, _, action = line.partition(" ")
    if not (seat.isascii() and seat.isdecimal()):
        raise InvalidText(f"{seat!r} is not the number of a seat", number)
    try:
        return int(seat), parse_action(action)
    except InvalidText as error:
        raise error.at(number, len(seat) + 2) from None


def replay(text: str) -> State:
    """Plays a record's text through and gives its last position; raises InvalidText or IllegalMove."""
    return Record.from_text(text).replay()
