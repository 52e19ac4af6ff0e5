"""Chats, members and messages on the other side of the wire."""

import itertools
import time
import zlib
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal

from tests.wire.telegram.errors import bad_request, forbidden
from tests.wire.telegram.schema import Json, Upload

SUPERGROUP_BASE = -1_000_000_000_000
PHOTO_SIZE = 640


class Status(Enum):
    """The status of a member; the values are the API's words."""

    OWNER = "creator"
    ADMINISTRATOR = "administrator"
    MEMBER = "member"
    RESTRICTED = "restricted"
    LEFT = "left"
    KICKED = "kicked"


PRESENT = frozenset({Status.OWNER, Status.ADMINISTRATOR, Status.MEMBER})


@dataclass(frozen=True)
class Button:
    """An inline button: `token` comes back as callback data, `url` opens, `web_app` inside Telegram."""

    label: str
    token: str | None = None
    url: str | None = None
    style: str | None = None
    web_app: str | None = None


@dataclass(eq=False)
class Message:
    """A message as it is now."""

    chat: "Chat"
    id: int
    sender: Json
    text: str
    entities: list[Json] = field(default_factory=list)
    picture: bytes | None = None
    document: Upload | None = None
    rows: tuple[tuple[Button, ...], ...] = ()
    thread: int | None = None
    reply_to: "Message | None" = None
    sender_chat: Json | None = None
    service: Json = field(default_factory=dict)
    date: int = field(default_factory=lambda: int(time.time()))
    written_at: float = field(default_factory=time.monotonic)
    edits: int = 0
    reactions: list[str] = field(default_factory=list)
    receiver: Json | None = None
    ephemeral_id: int = 0
    is_lost: bool = False
    inline_id: str = ""  # by which a bot outside the chat edits it

    @property
    def has_caption(self) -> bool:
        """Whether its text is the caption of a file."""
        return self.picture is not None or self.document is not None

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of all buttons."""
        return tuple(button.label for row in self.rows for button in row)

    def find(self, wanted: str) -> Button:
        """Returns the button with this label or token."""
        for button in itertools.chain.from_iterable(self.rows):
            if wanted in {button.label, button.token}:
                return button
        raise LookupError(f"no button {wanted!r} among {self.labels}")

    def to_json(self, *, nested: bool = False) -> Json:
        """Returns the message in the Bot API's JSON."""
        shown: Json = {
            "message_id": self.id,
            "date": self.date,
            "chat": self.chat.to_json(),
            "from": self.sender,
        }

        if self.edits:
            shown["edit_date"] = self.date

        if self.sender_chat:
            shown["sender_chat"] = self.sender_chat

        if self.thread is not None:
            shown |= {"message_thread_id": self.thread, "is_topic_message": True}

        if self.reply_to and not nested:
            shown["reply_to_message"] = self.reply_to.to_json(nested=True)

        if self.document is not None:
            shown["document"] = _document_json(self, self.document)

        if self.picture is not None:
            shown["photo"] = [_photo_size(self)]

        if self.has_caption:
            shown |= {"caption": self.text, "caption_entities": self.entities} if self.text else {}
        elif self.text:
            shown |= {"text": self.text, "entities": self.entities}

        if self.rows:
            shown["reply_markup"] = {
                "inline_keyboard": [[_button_json(button) for button in row] for row in self.rows]
            }

        return shown | self.service


def _photo_size(message: Message) -> Json:
    name = f"photo-{message.chat.id}-{message.id}-{message.edits}"
    return {"file_id": name, "file_unique_id": name, "width": PHOTO_SIZE, "height": PHOTO_SIZE}


def _document_name(message: Message) -> str:
    return f"document-{message.chat.id}-{message.id}"


def _document_json(message: Message, document: Upload) -> Json:
    name = _document_name(message)
    size = len(document.content)
    return {"file_id": name, "file_unique_id": name, "file_name": document.name, "file_size": size}


def _button_json(button: Button) -> Json:
    named = {"callback_data": button.token, "url": button.url, "style": button.style}
    return {"text": button.label} | {name: value for name, value in named.items() if value is not None}


@dataclass(eq=False)
class Chat:
    """A private chat, group or supergroup (with topics: a forum).

    `tags` are shown beside the names of members; `bot_rights` are the bot's rights as an administrator,
    beside the usual ones. One that `hides_members` shows them to administrators alone. Nobody can call a bot
    into one that `is_protected`.
    """

    id: int
    kind: Literal["private", "group", "supergroup", "channel"]
    title: str
    bot: Status
    members: dict[int, Status] = field(default_factory=dict)
    tags: dict[int, str] = field(default_factory=dict)
    bot_rights: set[str] = field(default_factory=set)
    is_forum: bool = False
    topics: dict[int, str] = field(default_factory=dict)
    closed_topics: set[int] = field(default_factory=set)
    allows_reactions: bool = True
    hides_members: bool = False
    is_protected: bool = False
    messages: list[Message] = field(default_factory=list)
    pinned: list[Message] = field(default_factory=list)
    moved_to: "Chat | None" = None
    ids: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))

    @property
    def instance(self) -> str:
        """The number that identifies the chat in presses, and does not reveal its id."""
        return str(zlib.crc32(f"{self.id}".encode()) - 2**33)

    @property
    def readers(self) -> frozenset[int]:
        """The ids of the people who can read the chat."""
        return frozenset(user for user, status in self.members.items() if status in PRESENT)

    def to_json(self) -> Json:
        """Returns the chat in the Bot API's JSON."""
        name = "first_name" if self.kind == "private" else "title"
        forum: Json = {"is_forum": True} if self.is_forum else {}
        return {"id": self.id, "type": self.kind, name: self.title} | forum

    def message(self, wanted: int) -> Message | None:
        """Returns the message with this id, unless it was deleted."""
        return next(
            (message for message in self.messages if message.id == wanted and message.receiver is None), None
        )

    def check_writable(self) -> None:
        """Checks that the bot may write to the chat.

        Raises:
            ApiError: The bot may not write to it.
        """
        if self.moved_to is not None:
            raise bad_request(
                "group chat was upgraded to a supergroup chat", migrate_to_chat_id=self.moved_to.id
            )
        if self.bot in PRESENT:
            return
        if self.bot is Status.RESTRICTED:
            raise bad_request("not enough rights to send text messages to the chat")

        is_kicked = self.bot is Status.KICKED
        if self.kind == "private" and is_kicked:
            raise forbidden("bot was blocked by the user")
        if self.kind == "private":
            raise forbidden("bot can't initiate conversation with a user")
        if is_kicked:
            raise forbidden(f"bot was kicked from the {self.kind} chat")

        raise forbidden(f"bot is not a member of the {self.kind} chat")


class World:
    """All chats, and the account of the bot."""

    def __init__(self, bot_id: int, username: str) -> None:
        self.bot: Json = {
            "id": bot_id,
            "is_bot": True,
            "first_name": "Durak",
            "username": username,
            "can_join_groups": True,
            "can_read_all_group_messages": False,
            "supports_inline_queries": False,
            "supports_guest_queries": True,
        }

        self.chats: dict[int, Chat] = {}
        self.outside: list[Chat] = []
        self._account_messages = itertools.count(10)
        self._groups = itertools.count(4001)

    def chat(self, wanted: object) -> Chat:
        """Returns the chat with this id.

        Raises:
            ApiError: There is none that the bot has met.
        """
        if not isinstance(wanted, int) or wanted not in self.chats:
            raise bad_request("chat not found")
        return self.chats[wanted]

    def open_private(self, user: int, name: str) -> Chat:
        """Creates the private chat with a person; it is not started yet."""
        chat = Chat(user, "private", name, Status.LEFT, {user: Status.MEMBER}, ids=self._account_messages)
        self.chats[user] = chat
        return chat

    def inline_message(self, wanted: object) -> Message:
        """Returns the message that the bot edits by this id, in a chat that it is not a member of.

        Raises:
            ApiError: There is none, or it was deleted.
        """
        said = (message for chat in (*self.outside, *self.chats.values()) for message in chat.messages)
        found = next((message for message in said if message.inline_id and message.inline_id == wanted), None)
        if found is None:
            raise bad_request("MESSAGE_ID_INVALID")
        return found

    def open_outside(self, title: str, kind: Literal["private", "group", "supergroup"]) -> Chat:
        """Creates a chat without the bot, which hears only its mentions there."""
        chat = Chat(-next(self._groups), kind, title, Status.LEFT, ids=self._account_messages)
        self.outside.append(chat)
        return chat

    def admit_to(self, chat: Chat) -> None:
        """Lets the bot know a chat that it was not a member of."""
        if chat in self.outside:
            self.outside.remove(chat)
            self.chats[chat.id] = chat

    def document(self, name: str) -> Upload | None:
        """Returns the file that a person or the bot has sent under this name."""
        sent = (message for chat in self.chats.values() for message in chat.messages)
        files = (message.document for message in sent if name == _document_name(message))
        return next(files, None)

    def open_group(
        self, title: str, kind: Literal["group", "supergroup", "channel"], *, forum: bool = False
    ) -> Chat:
        """Creates a group with the bot in it, or a channel without."""
        number = next(self._groups)
        bot = Status.LEFT if kind == "channel" else Status.MEMBER
        if kind == "group":
            chat = Chat(-number, kind, title, bot, ids=self._account_messages)
        else:
            chat = Chat(SUPERGROUP_BASE - number, kind, title, bot, is_forum=forum)
        self.chats[chat.id] = chat
        return chat

    def status_json(self, chat: Chat, user: Json) -> Json:
        """Returns the membership of a person or of the bot, as the bot gets it."""
        status = chat.bot if user["id"] == self.bot["id"] else chat.members.get(user["id"], Status.LEFT)
        shown = membership(user, status)
        if status in {Status.MEMBER, Status.RESTRICTED} and chat.tags.get(user["id"]):
            shown["tag"] = chat.tags[user["id"]]
        if user["id"] == self.bot["id"] and status is Status.ADMINISTRATOR:
            shown |= dict.fromkeys(chat.bot_rights, True)
        return shown


def membership(user: Json, status: Status) -> Json:
    """Returns a `ChatMember`."""
    extra: Json = {}
    if status is Status.OWNER:
        extra = {"is_anonymous": False}
    elif status is Status.KICKED:
        extra = {"until_date": 0}
    elif status is Status.RESTRICTED:
        extra = dict.fromkeys(_PERMISSIONS, False) | {"is_member": True, "until_date": 0}
    elif status is Status.ADMINISTRATOR:
        extra = dict.fromkeys(_RIGHTS, False) | {"can_manage_chat": True, "can_delete_messages": True}

    return {"status": status.value, "user": user} | extra


_PERMISSIONS = (
    "can_send_messages",
    "can_send_audios",
    "can_send_documents",
    "can_send_photos",
    "can_send_videos",
    "can_send_video_notes",
    "can_send_voice_notes",
    "can_send_polls",
    "can_send_other_messages",
    "can_add_web_page_previews",
    "can_react_to_messages",
    "can_edit_tag",
    "can_change_info",
    "can_invite_users",
    "can_pin_messages",
    "can_manage_topics",
)
_RIGHTS = (
    "can_be_edited",
    "is_anonymous",
    "can_manage_chat",
    "can_delete_messages",
    "can_manage_video_chats",
    "can_restrict_members",
    "can_promote_members",
    "can_change_info",
    "can_invite_users",
    "can_post_stories",
    "can_edit_stories",
    "can_delete_stories",
)
