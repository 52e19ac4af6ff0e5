"""The limits of what one chat shows."""

from dataclasses import dataclass
from enum import Enum, auto


class PrivateChat(Enum):
    """Where a person reads what the bot shows them alone."""

    IN_THE_ROOM = auto()  # in the room itself, which shows a message to one person
    OPEN = auto()  # in their own chat, where the bot may write first
    BEHIND_A_STEP = auto()  # in their own chat, which they have to open before the bot may write


@dataclass(frozen=True, slots=True)
class Limits:
    """What a chat can show in one message, for paging, shortening and drawing.

    What a chat cannot do is not tried there, and nothing is offered that would need it.
    """

    buttons: int  # how many a message can have
    per_row: int  # how many of them fit beside one another
    label: int  # characters on a button
    body: int  # characters of a message
    toast: int  # characters of a notice
    # Characters of a text with a picture: a longer one can cost it the picture.
    caption: int = 1000
    # Whether a private message that changes with each press is better with a picture.
    private_pictures: bool = True
    private_chat: PrivateChat = PrivateChat.IN_THE_ROOM
    # Whether a message can be edited and deleted; else a change is a new message, if it is worth one.
    edits: bool = True
    pictures: bool = True  # whether a message can have a picture
    documents: bool = True  # whether a message can bring a file
    # Seconds after the last press in which an ephemeral message can be edited; 0: it is shown once, or lies
    # beside the private messages anyway.
    ephemeral_seconds: float = 0.0
    notices_stay: bool = False  # whether a notice is a message that its reader has to remove
    boards: bool = False  # whether it draws running games itself, and needs no pictures of them
    forms: bool = False  # whether it can show choices as a form
    # Whether its people can be called while they're away, and show one another how a game ended.
    can_call: bool = True
    # Whether arguments of a command are chosen by their names, as in `/durak time:20:30`; else they're typed.
    named_arguments: bool = False
    # Whether an `@name` in the bot's text notifies its owner, whom the bot may not know.
    names_ring: bool = False
    has_servers: bool = False  # whether a community is a server with several rooms, and not one chat
    document: int = 9_000_000  # the size of one file, in bytes
    # The right that the bot needs to pin messages, in the words of the chat's own settings; empty where
    # nothing can be pinned.
    pin_right: str = ""
    # The switch by which a person lets the bot write to them, in the words of the chat's own settings;
    # empty where they open the private chat instead.
    private_setting: str = ""

    @property
    def shows_alone(self) -> bool:
        """Whether a press in a room is answered there, for the presser alone."""
        return self.private_chat is PrivateChat.IN_THE_ROOM

    @property
    def may_write_first(self) -> bool:
        """Whether the bot may write to a person who has not opened their private chat."""
        return self.private_chat is not PrivateChat.BEHIND_A_STEP
