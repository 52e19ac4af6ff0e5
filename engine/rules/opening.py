"""The opening of a game: all facts that determine its deal, as one line of text.

With `shuffle=2` the salt of the shuffle (see `deal`) is the whole line without its `seed=…` and the space
after it. So the same seed gives a different deck if the rules, the dealer or the starters differ. In games of
earlier versions, which lack `shuffle=`, the salt is the value of `salt=`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engine.rules.cards import Card
from engine.rules.deal import EDITION, FIRST_EDITION, deck_order, edition_for
from engine.rules.errors import InvalidRulesError, InvalidTextError
from engine.rules.events import Seat
from engine.rules.settings import Rules
from engine.rules.state import State

_RULES = "rules:"
_NEEDED = ("players", "dealer", "seed")
_KNOWN = (*_NEEDED, "salt", "starters", "levels", "points", "edition", "shuffle", "contributions")
_OLD_SHUFFLE = 1
SHUFFLE = 2  # how new games are shuffled
_NEWEST_EDITION = 0  # a placeholder for the edition of new games

_LEVELS = range(2, 16)  # from the two to the level above the ace
_MAX_DIGITS = 9  # of a number; no seat, level or point needs more


class InvalidOpeningError(ValueError):
    """An invalid part of an opening; `word` is its name in the text."""

    def __init__(self, word: str, message: str) -> None:
        super().__init__(message)
        self.word = word

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the constructor's arguments, so that the error can cross processes."""
        return type(self), (self.word, str(self))


@dataclass(frozen=True, slots=True)
class Opening:
    """All facts that determine a deal.

    Attributes:
        rules: The rules of the game.
        players: The number of seats.
        seed: The seed of the shuffle; seed, salt and contributions contain no spaces.
        salt: Further text for the shuffle.
        dealer: The seat that deals.
        starters: The seats among which the holder of the lowest trump attacks first; a single seat attacks
            first in any case, and none means a first game.
        levels: Each seat's next rank on the epaulette ladder; empty: six.
        points: What each seat has won in earlier games; empty: nothing.
        shuffle: The version of the shuffle.
        contributions: The browsers' parts in a shuffle of an earlier version, as written.
        edition: The edition of the rules, numbered in `deal`; texts without it mean 1, otherwise the default
            is that of new games.
    """

    rules: Rules
    players: int
    seed: str
    salt: str = ""
    dealer: Seat = 0
    starters: tuple[Seat, ...] = ()
    levels: tuple[int, ...] = ()
    points: tuple[int, ...] = ()
    shuffle: int = SHUFFLE
    contributions: str = ""
    edition: int = _NEWEST_EDITION

    def __post_init__(self) -> None:
        """Fills in the edition; raises InvalidOpeningError for values that are out of range or unwritable."""
        if self.edition == _NEWEST_EDITION:
            object.__setattr__(self, "edition", edition_for(self.rules))

        self._check_texts_and_seats()
        self._check_numbers()

    def _check_texts_and_seats(self) -> None:
        for word, text in (("seed", self.seed), ("salt", self.salt), ("contributions", self.contributions)):
            if any(character.isspace() or "\ud800" <= character <= "\udfff" for character in text):
                raise InvalidOpeningError(word, f"{word} must not hold spaces, nor halves of characters")

        for word, seats in (("dealer", (self.dealer,)), ("starters", self.starters)):
            for seat in seats:
                if not 0 <= seat < self.players:
                    raise InvalidOpeningError(word, f"there is no seat {seat} among {self.players} players")

    def _check_numbers(self) -> None:
        for word, values in (("levels", self.levels), ("points", self.points)):
            if values and len(values) != self.players:
                raise InvalidOpeningError(word, f"{word} needs one for each of {self.players} players")

        for word, numbers, span in (
            ("levels", self.levels, _LEVELS),
            ("shuffle", (self.shuffle,), range(_OLD_SHUFFLE, SHUFFLE + 1)),
            ("edition", (self.edition,), range(FIRST_EDITION, EDITION + 1)),
        ):
            if any(number not in span for number in numbers):
                raise InvalidOpeningError(word, f"{word} can be from {span.start} to {span.stop - 1}")

    @property
    def deck(self) -> tuple[Card, ...]:
        """The deck in the order of the deal; raises InvalidRulesError if the rules cannot be played."""
        if obstacles := self.rules.obstacles(self.players):
            raise InvalidRulesError("; ".join(map(str, obstacles)))
        salt = self.salt if self.shuffle == _OLD_SHUFFLE else _line(self, seed="")
        return deck_order(self.rules, self.players, self.seed, salt)

    def deal(self) -> State:
        """Deals the game; raises InvalidRulesError as `deck` does."""
        return State.deal(
            self.rules,
            self.players,
            self.deck,
            dealer=self.dealer,
            starters=self.starters,
            levels=self.levels,
            edition=self.edition,
        )

    def __str__(self) -> str:
        return _line(self, seed=f"seed={self.seed} ")

    def to_text(self) -> str:
        """Writes the opening in one line."""
        return str(self)

    @staticmethod
    def from_text(text: str) -> "Opening":
        """Reads the text of `to_text`; raises InvalidTextError with the column."""
        head, sign, rules = text.partition(_RULES)
        words = _words(head)
        missing = [f"{name}=" for name in _NEEDED if name not in words] + ([] if sign else [_RULES])
        if missing:
            raise InvalidTextError(f"an opening needs {', '.join(missing)}")

        try:
            rule_set = Rules.from_text(rules)
        except InvalidTextError as error:
            raise error.at(1, len(head) + len(_RULES) + 1) from None

        try:
            edition = _edition(words)
            shuffle = _number(*words["shuffle"]) if "shuffle" in words else _OLD_SHUFFLE
            contributions = words["contributions"][0] if "contributions" in words else ""
            return Opening(
                rules=rule_set,
                players=_number(*words["players"]),
                seed=words["seed"][0],
                salt=words["salt"][0] if "salt" in words else "",
                dealer=_number(*words["dealer"]),
                starters=_numbers(words, "starters"),
                levels=_numbers(words, "levels"),
                points=_numbers(words, "points"),
                shuffle=shuffle,
                contributions=contributions,
                edition=edition,
            )
        except InvalidOpeningError as misfit:
            raise InvalidTextError(str(misfit), 1, words[misfit.word][1]) from None


def _line(opening: Opening, *, seed: str) -> str:
    """Writes the opening in one line; shuffles depend on it, so its format must never change."""
    parts = []
    if opening.salt:
        parts.append(f"salt={opening.salt}")

    if opening.starters:
        parts.append(f"starters={_numbers_text(opening.starters)}")

    if opening.levels:
        parts.append(f"levels={_numbers_text(opening.levels)}")

    if any(opening.points):
        parts.append(f"points={_numbers_text(opening.points)}")

    if opening.edition != FIRST_EDITION:
        parts.append(f"edition={opening.edition}")

    if opening.shuffle != _OLD_SHUFFLE:
        parts.append(f"shuffle={opening.shuffle}")

    if opening.contributions:
        parts.append(f"contributions={opening.contributions}")

    rest = " ".join([*parts, _RULES, opening.rules.to_text()])
    return f"players={opening.players} dealer={opening.dealer} {seed}{rest}"


_Words = dict[str, tuple[str, int]]


def _words(head: str) -> _Words:
    """Reads words such as `dealer=1`; returns the value of each and the column where it begins."""
    words: _Words = {}
    for match in re.finditer(r"\S+", head):
        name, sign, value = match[0].partition("=")
        column = match.start() + 1
        if name not in _KNOWN or not sign:
            raise InvalidTextError(f"{match[0]!r} is no part of an opening: {', '.join(_KNOWN)}", 1, column)
        if name in words:
            raise InvalidTextError(f"{name}= stands twice", 1, column)

        words[name] = value, column + len(name) + 1

    return words


def _edition(words: _Words) -> int:
    if "edition" not in words:
        return FIRST_EDITION

    edition = _number(*words["edition"])
    if edition == _NEWEST_EDITION:
        raise InvalidOpeningError("edition", f"edition can be from {FIRST_EDITION} to {EDITION}")

    return edition


def _numbers_text(numbers: tuple[int, ...]) -> str:
    return ",".join(map(str, numbers))


def _numbers(words: _Words, name: str) -> tuple[int, ...]:
    text, column = words.get(name, ("", 0))
    return tuple(_read(text, column)) if text else ()


def _read(text: str, column: int) -> Iterator[int]:
    for word in text.split(","):
        yield _number(word, column)
        column += len(word) + 1


def _number(text: str, column: int) -> int:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= _MAX_DIGITS):
        raise InvalidTextError(f"{text!r} is no number with at most {_MAX_DIGITS} digits", 1, column)
    return int(text)
