"""What a chat can carry."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one message holds, in characters; read by paging, shortening and drawing.

    Attributes:
        caption: How long the text of a screen with a picture may be: a longer one can cost it the picture.
        private_pictures: Whether a private message that changes with each press is better with a picture.
        ephemeral_answers: Whether who presses a public button can always be shown something alone there;
            else it waits in the private chat.
        ephemeral_seconds: How long what was shown so can be changed after it was last pressed; 0: it is to be
            read once, or stands beside the private messages anyway.
        boards: Whether it draws running games itself, and needs no pictures of them.
        forms: Whether it can show somebody choices as a form.
    """

    buttons: int
    per_row: int
    label: int
    body: int
    toast: int
    caption: int = 1000
    private_pictures: bool = True
    ephemeral_answers: bool = True
    ephemeral_seconds: float = 0.0
    boards: bool = False
    forms: bool = False


@dataclass(frozen=True, slots=True)
class Budget:
    """How often one chat may be written to: `burst` messages at once, then one each `seconds`."""

    seconds: float
    burst: int


@dataclass(frozen=True, slots=True)
class Budgets:
    """The budgets of one room and of one private chat.

    Somebody who only looks on is shown the newest at least `onlooker_pause` seconds after what they were sent
    before.
    """

    public: Budget
    private: Budget
    onlooker_pause: float = 0.0
