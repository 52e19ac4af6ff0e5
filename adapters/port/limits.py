"""The limits of what a chat can show."""

from dataclasses import dataclass
from enum import Enum, auto

MAX_PORTRAIT = 2_000_000  # bytes of the picture that a person shows of themselves


class PrivateChat(Enum):
    """The place of messages for one person alone."""

    IN_THE_ROOM = auto()  # the room itself, which can show a message to one person
    OPEN = auto()  # their private chat, in which the bot may write first
    BEHIND_A_STEP = auto()  # their private chat, which they have to open before the bot may write


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one message in a chat, for paging, shortening and drawing.

    The bot offers nothing that exceeds them.
    """

    buttons: int  # the most buttons of a message
    per_row: int  # the most buttons in a row
    label: int  # characters on a button
    body: int  # characters of a message
    toast: int  # characters of a notice
    # Characters of a text with a picture; with a longer one the picture may be left out.
    caption: int = 1000
    # Whether a private message that changes with each press is better with a picture.
    private_pictures: bool = True
    private_chat: PrivateChat = PrivateChat.IN_THE_ROOM
    # Whether messages can be edited and deleted; if not, an important change is a new message.
    edits: bool = True
    # Whether a room has only messages that answer a command. One of them is then the table, from the lobby to
    # the result and the next game; nothing can be posted beside it.
    only_answers: bool = False
    pictures: bool = True  # whether a message can have a picture
    documents: bool = True  # whether a message can have a file
    # Seconds after the last press in which an ephemeral message can be edited; 0 if it is shown once, or is
    # an ordinary private message.
    ephemeral_seconds: float = 0.0
    notices_stay: bool = False  # whether a notice is a message that its reader has to remove
    portraits: bool = False  # whether people show pictures of themselves here (`Adapter.portrait_of`)
    boards: bool = False  # whether the chat draws running games itself, without pictures from the bot
    menu: int = 0  # how many choices fit into a menu; 0 if there are no menus, and each choice is a button
    questions: bool = False  # whether a press can open a box to type into
    # Whether a public message shows the buttons that most readers need, and one that opens the others for the
    # asker alone.
    folds_buttons: bool = False
    forms: bool = False  # whether the chat can show choices as a form
    # Whether people can be called while they are away, and can share the end of a game.
    can_call: bool = True
    # Whether arguments of a command are named, as in `/durak time:20:30`; otherwise they are plain text.
    named_arguments: bool = False
    # Whether an `@name` in the bot's text notifies its owner, who may be a stranger to the bot.
    names_ring: bool = False
    has_servers: bool = False  # whether a community is a server with several rooms, rather than one chat
    document: int = 9_000_000  # the largest file, in bytes
    # The right that the bot needs to pin messages, as the chat's own settings call it; empty if nothing can
    # be pinned.
    pin_right: str = ""
    # The setting by which a person allows the bot to write to them, as the chat's own settings call it; empty
    # if they open the private chat instead.
    private_setting: str = ""

    @property
    def shows_alone(self) -> bool:
        """Whether the answer to a press in a room is shown there, to the asker alone."""
        return self.private_chat is PrivateChat.IN_THE_ROOM

    @property
    def may_write_first(self) -> bool:
        """Whether the bot may write to a person who has not opened their private chat."""
        return self.private_chat is not PrivateChat.BEHIND_A_STEP
