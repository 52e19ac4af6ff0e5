"""Accounts, guilds, channels and messages of this Discord, and the people who see them."""

import hashlib
import itertools
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import Flag, IntEnum
from typing import Any

from tests.wire.discord.component_tree import Type, alternative_texts, media, of_type, texts
from tests.wire.discord.markdown import readable

DISCORD_EPOCH = 1_420_070_400_000
_counter = itertools.count(1)


def snowflake() -> int:
    """Returns a new id: the milliseconds since Discord's first, then a counter."""
    return (int(time.time() * 1000) - DISCORD_EPOCH << 22) | (next(_counter) & 0x3FFFFF)


class Kind(IntEnum):
    """The type of a channel."""

    TEXT = 0
    DIRECT = 1
    GROUP = 3
    THREAD = 11
    PRIVATE_THREAD = 12


class Right(Flag):
    """The permissions that the bot needs or checks, with Discord's bits."""

    NONE = 0
    ADMINISTRATOR = 1 << 3
    MANAGE_GUILD = 1 << 5
    MANAGE_ROLES = 1 << 28
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_HISTORY = 1 << 16
    USE_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    SEND_IN_THREADS = 1 << 38
    PIN_MESSAGES = 1 << 51
    ORDINARY = (
        VIEW_CHANNEL
        | SEND_MESSAGES
        | EMBED_LINKS
        | ATTACH_FILES
        | READ_HISTORY
        | USE_COMMANDS
        | SEND_IN_THREADS
    )
    MODERATOR = ORDINARY | MANAGE_MESSAGES


class MessageFlag(Flag):
    """The flags of a message."""

    NONE = 0
    SUPPRESS_EMBEDS = 1 << 2
    EPHEMERAL = 1 << 6
    LOADING = 1 << 7
    CONTAINERS = 1 << 15  # Discord's name for it is IS_COMPONENTS_V2


@dataclass(eq=False)
class Account:
    """A person or a bot."""

    name: str
    locale: str = "en-US"
    bot: bool = False
    accepts_direct_messages: bool = True
    is_verified: bool = False
    """Whether Discord has verified the bot, so that everyone may launch its Activity."""
    avatar: bytes = field(default=b"", repr=False)
    """A picture in any format; empty for people without an avatar."""
    id: int = field(default_factory=snowflake)

    @property
    def username(self) -> str:
        return f"user{self.id}"

    @property
    def avatar_hash(self) -> str | None:
        """The name of the avatar in its address."""
        return hashlib.blake2b(self.avatar, digest_size=16).hexdigest() if self.avatar else None


@dataclass(eq=False)
class Guild:
    """A server; `everyone` holds the rights of everyone's role, the bot's included."""

    name: str
    owner: Account
    id: int = field(default_factory=snowflake)
    members: dict[int, Right] = field(default_factory=dict)
    channels: list["Channel"] = field(default_factory=list)
    has_bot: bool = True
    everyone: Right = Right.ORDINARY
    roles: list["Role"] = field(default_factory=list)
    bot_role: "Role | None" = None

    def add_member(self, account: Account, rights: Right = Right.ORDINARY) -> None:
        self.members[account.id] = rights


@dataclass(eq=False)
class Role:
    """A role of a guild; one with a higher `position` ranks above the others."""

    name: str
    position: int = 1
    rights: Right = Right.NONE
    is_managed: bool = False
    holders: set[int] = field(default_factory=set)
    id: int = field(default_factory=snowflake)


@dataclass(eq=False)
class Emoji:
    """A small picture of the application's own."""

    name: str
    image: bytes = field(repr=False)
    id: int = field(default_factory=snowflake)


@dataclass(eq=False)
class Attachment:
    """A file on a message."""

    filename: str
    content: bytes = field(repr=False)
    description: str | None = None
    id: int = field(default_factory=snowflake)


@dataclass(eq=False)
class Channel:
    """A place for messages, with the rights of the bot in it.

    Attributes:
        guild: None for direct messages, which have a `recipient`, and for groups, which have `friends`.
        parent: The channel of a thread.
        insiders: The members of a private thread, who alone can read it.
    """

    kind: Kind
    name: str = ""
    guild: Guild | None = None
    recipient: Account | None = None
    parent: "Channel | None" = None
    insiders: set[int] = field(default_factory=set)
    friends: list[Account] = field(default_factory=list)
    bot_rights: Right = Right.ORDINARY
    archived: bool = False
    locked: bool = False
    id: int = field(default_factory=snowflake)
    messages: dict[int, "Message"] = field(default_factory=dict)
    pinned: list["Message"] = field(default_factory=list)

    def has(self, account: Account) -> bool:
        """Returns whether the account can read this channel."""
        if self.guild is None:
            return account is self.recipient or account in self.friends
        is_inside = self.kind is not Kind.PRIVATE_THREAD or account.id in self.insiders
        return is_inside and account.id in self.guild.members

    @property
    def is_outside(self) -> bool:
        """Whether the bot is no member here, and gets only what people ask it who have installed it."""
        return self.kind is Kind.GROUP or (self.guild is not None and not self.guild.has_bot)

    @property
    def rights(self) -> Right:
        """The rights of the bot in this channel."""
        everywhere = Right.ORDINARY if self.guild is None else self.guild.everyone
        return everywhere & self.bot_rights & (self.parent or self).bot_rights


@dataclass(eq=False)
class Message:
    """A message as it is now.

    Attributes:
        only: The one reader of an ephemeral message.
        answers: The id and the person of the interaction that it answers.
    """

    channel: Channel
    author: Account
    content: str = ""
    components: list[dict[str, Any]] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    flags: MessageFlag = MessageFlag.NONE
    only: Account | None = None
    notified: frozenset[int] = frozenset()
    mentioned: tuple[Account, ...] = ()
    nonce: str | None = None
    answers: tuple[int, Account] | None = None
    edited: datetime | None = None
    deleted: bool = False
    id: int = field(default_factory=snowflake)
    created: datetime = field(default_factory=lambda: datetime.now(UTC))

    def is_seen_by(self, account: Account) -> bool:
        if self.deleted or not self.channel.has(account):
            return False
        return self.only is None or self.only is account

    @property
    def text(self) -> str:
        """The text as its readers see it: without Markdown signs, with names for mentions."""
        names = {account.id: account.name for account in self.mentioned}
        return "\n\n".join(readable(text, names) for text in (self.content, *texts(self.components)) if text)

    @property
    def buttons(self) -> tuple[dict[str, Any], ...]:
        return tuple(of_type(self.components, Type.BUTTON))

    @property
    def menus(self) -> tuple[dict[str, Any], ...]:
        return tuple(of_type(self.components, Type.MENU))

    @property
    def rows(self) -> tuple[tuple[dict[str, Any], ...], ...]:
        """The buttons, and the choices of menus, row by row."""
        return tuple(
            tuple(choice for part in row["components"] for choice in part.get("options", (part,)))
            for row in of_type(self.components, Type.ROW)
        )

    @property
    def files(self) -> list[Attachment]:
        """The files that its readers see: with containers, those that a component shows."""
        if MessageFlag.CONTAINERS not in self.flags:
            return self.attachments

        shown = {medium.get("attachment_id") for medium in media(self.components)}
        return [attachment for attachment in self.attachments if str(attachment.id) in shown]

    @property
    def alternative_texts(self) -> list[str]:
        """The words that a screen reader reads in place of the pictures."""
        if MessageFlag.CONTAINERS in self.flags:
            return alternative_texts(self.components)
        return [file.description for file in self.attachments if file.description]

    def press(self, which: str) -> dict[str, Any]:
        """Returns the data of a press on the button, or the choice in a menu, with this token or label."""
        choices = [(menu, option) for menu in self.menus for option in menu["options"]]
        chosen = [(menu, option) for menu, option in choices if which in {option["value"], option["label"]}]
        if chosen:
            menu, option = chosen[0]
            known = {"component_type": Type.MENU, "custom_id": menu["custom_id"], "id": menu["id"]}
            return known | {"values": [option["value"]]}

        button = self.button(which)
        if button.get("disabled"):
            raise LookupError(f"the button {which!r} is disabled")

        return {"component_type": Type.BUTTON, "custom_id": button["custom_id"], "id": button["id"]}

    def button(self, which: str) -> dict[str, Any]:
        """Returns the button with this token or else this label."""
        for key in ("custom_id", "label"):
            for button in self.buttons:
                if button.get(key) == which:
                    return button
        raise LookupError(f"no button {which!r} among {[button.get('label') for button in self.buttons]}")
