"""The guests and messages of the local page, stored so that they survive a restart."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Guest:
    """A person on the page; `secret_hash` is the SHA-256, in hex, of the secret in their link.

    `joined_at` and `seen_at` (when they were last there) are Unix seconds. At most one guest is the owner.
    A newcomer is a guest other than the owner who has not joined a table yet.
    """

    id: str
    name: str
    secret_hash: str = field(repr=False)
    joined_at: float
    seen_at: float
    is_owner: bool = False


# The kinds of messages on the page.
POST = "post"
CHAT = "chat"
COMMAND_ANSWER = "answer:command"
PRESS_ANSWER = "answer:press"

# A spectator, who has no name and sees only public messages; nothing about them is stored.
SPECTATOR = Guest("", "", "", 0.0, 0.0)

# The files of a message, by the digests in its content.
Files = Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class Draft:
    """A message about to be added."""

    room: str
    guest: str | None  # the id of its only reader; None for everyone in the room
    kind: str  # one of the kinds above; at most 40 characters
    content: Mapping[str, Any] = field(repr=False)  # JSON values
    posted_at: float  # Unix seconds
    key: str = field(default="", kw_only=True)  # unique among all messages, unless empty


@dataclass(frozen=True, slots=True)
class SavedMessage(Draft):
    """A stored message; later messages have a larger `id`, and no id is ever reused."""

    id: int


class NoSuchGuestError(LookupError):
    """There is no such guest."""


class GuestStore(Protocol):
    """Stores guests and messages; the changes of a call survive a crash once it has returned."""

    async def add_guest(self, guest: Guest) -> None:
        """Stores a new guest."""

    async def guest(self, guest_id: str) -> Guest | None:
        """Returns the guest with this id, if any."""

    async def guest_by_secret(self, secret_hash: str) -> Guest | None:
        """Returns the guest whose secret has this hash, if any."""

    async def renew_secret(self, guest_id: str, secret_hash: str) -> None:
        """Replaces the hash of a guest's secret."""

    async def make_owner(self, guest_id: str) -> None:
        """Makes this guest the only owner."""

    async def note_visits(self, guest_ids: Collection[str], at: float) -> None:
        """Records that these guests were there at a time (Unix seconds)."""

    async def count_newcomers(self) -> int:
        """Counts the newcomers."""

    async def free_newcomers(
        self, unused_since: float, *, besides: Collection[str] = (), most: int | None = None
    ) -> int:
        """Deletes newcomers with all their data, the longest absent first; returns their number.

        Args:
            unused_since: Keeps guests seen after this time (Unix seconds).
            besides: The ids of other guests to keep.
            most: The maximum number to delete; None for all.
        """

    async def guests(self) -> Sequence[Guest]:
        """Returns all guests, in the order they joined."""

    async def remove_guest(self, guest_id: str) -> None:
        """Deletes a guest with all of their private messages."""

    async def rooms(self, limit: int) -> Sequence[str]:
        """Returns at most `limit` rooms that have messages, the most recently active first."""

    async def messages(self, after: int, limit: int) -> Sequence[SavedMessage]:
        """Returns at most `limit` messages with a larger id than `after`, of all rooms and guests, by id."""

    async def forget_messages(self, *, public: int, pressable: int, private: int, most: int) -> int:
        """Deletes old messages and their files; returns their number.

        Args:
            public: The number of newest public messages to keep in each room.
            pressable: The number of older public messages with buttons (`rows`) to keep in each room.
            private: The number of newest private messages of each guest to keep in each room.
            most: The maximum number to delete in this call.
        """

    async def add_message(self, draft: Draft, files: Files) -> SavedMessage:
        """Stores a message, or returns the existing message with its key.

        Raises:
            NoSuchGuestError: Its only reader does not exist.
        """

    async def message(self, message_id: int) -> SavedMessage | None:
        """Returns the message with this id, if any."""

    async def change_message(self, message_id: int, content: Mapping[str, Any], files: Files) -> None:
        """Replaces the content and the files of a message, which keeps its place."""

    async def delete_message(self, message_id: int) -> None:
        """Deletes a message and its files, if it exists."""

    async def file(self, message_id: int, digest: str) -> bytes | None:
        """Returns the file of a message with this digest, if any."""

    async def history(self, room: str, guest: str | None, limit: int) -> Sequence[SavedMessage]:
        """Returns the newest `limit` messages of a room, oldest first.

        Args:
            room: The room.
            guest: The reader whose private messages to return; None for the public messages.
            limit: The maximum number.
        """
