"""What a chat can carry: numbers only."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Numbers only: how much one message holds, in characters; read by paging and shortening alone.

    Attributes:
        caption: How long the text of a screen with a picture may be: a longer one can cost it the picture.
    """

    buttons: int
    per_row: int
    label: int
    body: int
    toast: int
    caption: int = 1000


@dataclass(frozen=True, slots=True)
class Budget:
    """How often one chat may be written to: `burst` messages at once, then one each `seconds`."""

    seconds: float
    burst: int


@dataclass(frozen=True, slots=True)
class Budgets:
    """The budgets of one room and of one private chat."""

    public: Budget
    private: Budget
