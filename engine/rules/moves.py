"""The moves: one small frozen class each, with its text form (rule 15.1).

`A 9H 9S` attack or throw in, `D 9H JH` beat 9H with JH, `X 9S` transfer, `V 9D` transfer by showing the
trump, `T` take, `P` done, `L 8` lay away four eights, `E` exchange the trump six, `K` keep the cards dealt,
`R` ask for a new deal, `C 9S` point at a card as wrong.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from engine.rules.cards import Card, Rank, cards_text
from engine.rules.errors import InvalidTextError

_Value = TypeVar("_Value")


class Move:
    """The base of all moves; `Move.parse` reads what `str` writes."""

    __slots__ = ()
    letter: ClassVar[str] = ""  # the whole text of a move that names no card

    def __str__(self) -> str:
        return self.letter

    @staticmethod
    def parse(text: str) -> "Move":
        """Reads a move's text form; raises InvalidTextError with the column of the unreadable word."""
        words = list(re.finditer("[^ ]+", text))
        if not words:
            raise InvalidTextError("a move is missing")

        letter = words[0][0]
        rest = words[1:]
        if letter in _WORDLESS and not rest:
            return _WORDLESS[letter]

        if letter in ("A", "X") and rest:
            cards = tuple([_read(word, Card.parse) for word in rest])
            return Attack(cards) if letter == "A" else Transfer(cards)

        if letter == "D" and len(rest) == 2:  # the attack card and the card that beats it
            return Defend(card=_read(rest[1], Card.parse), attack=_read(rest[0], Card.parse))
        if letter == "V" and len(rest) == 1:
            return ShowTrump(_read(rest[0], Card.parse))
        if letter == "L" and len(rest) == 1:
            return LayAway(_read(rest[0], Rank.parse))
        if letter == "C" and len(rest) == 1:
            return Accuse(_read(rest[0], Card.parse))

        sentence = f"{text!r} is not a move: A, D, X, V, T, P, L, E, K, R or C with its cards"
        raise InvalidTextError(sentence, 1, words[0].start() + 1)


@dataclass(frozen=True, slots=True)
class _Laid:
    """The base of moves that lay attack cards."""

    letter: ClassVar[str]
    cards: tuple[Card, ...]

    def __post_init__(self) -> None:
        """Sorts the cards, so that their order in a text does not matter."""
        if len(self.cards) > 1:
            object.__setattr__(self, "cards", tuple(sorted(self.cards)))

    def __str__(self) -> str:
        return f"{self.letter} {cards_text(self.cards)}"


class Attack(_Laid, Move):
    """Lays one card, or at the opening several of one rank, against the defender."""

    __slots__ = ()
    letter = "A"


class Transfer(_Laid, Move):
    """Hands the attack on to the next player by adding cards of its rank."""

    __slots__ = ()
    letter = "X"


@dataclass(frozen=True, slots=True)
class Defend(Move):
    """Beats one attack card of the bout with a card of the hand."""

    card: Card
    attack: Card

    def __str__(self) -> str:
        return f"D {self.attack} {self.card}"


@dataclass(frozen=True, slots=True)
class ShowTrump(Move):
    """Hands the attack on by showing the trump of its rank, which stays in the hand."""

    card: Card

    def __str__(self) -> str:
        return f"V {self.card}"


@dataclass(frozen=True, slots=True)
class LayAway(Move):
    """Puts all four cards of a rank on the discard heap while the table is empty."""

    rank: Rank

    def __str__(self) -> str:
        return f"L {self.rank}"


@dataclass(frozen=True, slots=True)
class Take(Move):
    """Gives up the defence: the defender will pick up every card of the bout."""

    letter = "T"


@dataclass(frozen=True, slots=True)
class Done(Move):
    """Adds no card for now; the seat is asked again once another card is laid."""

    letter = "P"


@dataclass(frozen=True, slots=True)
class Exchange(Move):
    """Swaps the six of trumps for the turn-up."""

    letter = "E"


@dataclass(frozen=True, slots=True)
class Keep(Move):
    """Declines a new deal, with or without a right to one."""

    letter = "K"


@dataclass(frozen=True, slots=True)
class Redeal(Move):
    """Asks for a new deal because of too many cards of one suit."""

    letter = "R"


@dataclass(frozen=True, slots=True)
class Accuse(Move):
    """Points at somebody else's card as laid against the rules (rule 16.4)."""

    card: Card

    def __str__(self) -> str:
        return f"C {self.card}"


@dataclass(frozen=True, slots=True)
class Resign:
    """Gives the game up. It is possible at any time, so a seat's legal moves do not list it."""

    def __str__(self) -> str:
        return "resigns"


Action = Move | Resign  # every action of a seat in a record


def cards_needed_for(action: Action) -> tuple[Card, ...]:
    """Returns the cards that an action names from the hand of its seat: those it plays or shows."""
    match action:
        case Attack(cards) | Transfer(cards):
            return cards
        case Defend(card) | ShowTrump(card):
            return (card,)

    return ()


def parse_action(text: str) -> Action:
    """Reads a move or a resignation; raises InvalidTextError."""
    return Resign() if text == str(Resign()) else Move.parse(text)


_WORDLESS: dict[str, Move] = {move.letter: move for move in (Take(), Done(), Exchange(), Keep(), Redeal())}


def _read(word: re.Match[str], parse: Callable[[str], _Value]) -> _Value:
    try:
        return parse(word[0])
    except InvalidTextError as error:
        raise error.at(1, word.start() + 1) from None
