"""The memory of the local page: its guests and its messages, so that a restart changes nothing on it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Guest:
    """A person on the page; `secret_hash` (64 hex digits) is all that is kept of the secret in their link.

    `joined_at` and `seen_at` (when they were last there) are Unix seconds. One guest at most is the owner.
    A newcomer is a guest without a table so far; the owner is none.
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

# A spectator: they have no name, nothing is kept of them, and they see only public messages.
SPECTATOR = Guest("", "", "", 0.0, 0.0)

# The files of a message, by the digests under which the content names it.
Files = Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class Draft:
    """A message about to be added."""

    room: str  # its room
    guest: str | None  # the id of its only reader; None: everyone in the room
    kind: str  # its kind on the page; at most 40 characters
    # Its content, as JSON: texts, numbers, booleans, None, lists, and objects of these.
    content: Mapping[str, Any] = field(repr=False)
    posted_at: float  # Unix seconds
    key: str = field(default="", kw_only=True)  # its unique name among all messages; empty: none


@dataclass(frozen=True, slots=True)
class SavedMessage(Draft):
    """A message on record; a later message has a larger `id`, and no id is ever given out twice."""

    id: int


class NoSuchGuestError(LookupError):
    """There is no such guest."""


class GuestStore(Protocol):
    """Guests and messages on disk: a call that returned is still done after a crash."""

    async def add_guest(self, guest: Guest) -> None:
        """Remembers a new guest."""

    async def guest(self, guest_id: str) -> Guest | None:
        """Finds a guest by id."""

    async def guest_by_secret(self, secret_hash: str) -> Guest | None:
        """Finds the guest whose link this is."""

    async def renew_secret(self, guest_id: str, secret_hash: str) -> None:
        """Gives a guest another secret; the one before is nobody's."""

    async def make_owner(self, guest_id: str) -> None:
        """Makes this guest the only owner."""

    async def saw(self, guest_ids: Collection[str], at: float) -> None:
        """Records that these guests were there at a time (Unix seconds)."""

    async def count_newcomers(self) -> int:
        """Counts the newcomers."""

    async def free_newcomers(
        self, unused_since: float, *, besides: Collection[str] = (), most: int | None = None
    ) -> int:
        """Deletes newcomers with all their data, the longest absent first; returns their number.

        Args:
            unused_since: Guests seen after this time (Unix seconds) stay.
            besides: The ids of others to keep.
            most: How many at most; None: all.
        """

    async def guests(self) -> Sequence[Guest]:
        """Returns all guests, in the order they joined."""

    async def remove_guest(self, guest_id: str) -> None:
        """Takes a guest off the record, with everything that they alone could read."""

    async def rooms(self, limit: int) -> Sequence[str]:
        """Returns the rooms that have messages, at most `limit`, those with the newest ones first."""

    async def messages(self, after: int, limit: int) -> Sequence[SavedMessage]:
        """Returns messages of all rooms and guests with a larger id than `after`, at most `limit` of them."""

    async def forget_messages(self, *, public: int, pressable: int, private: int, most: int) -> int:
        """Forgets old messages and their files, at most so many of them; gives how many.

        Args:
            public: How many of the newest messages stay in each room, of those that everybody sees.
            pressable: How many older ones with buttons (`rows` in their content) stay besides.
            private: How many of the newest messages of each guest stay in each room.
            most: How many are forgotten at once.
        """

    async def add_message(self, draft: Draft, files: Files) -> SavedMessage:
        """Records a message, or returns the current message that already has its key.

        Raises:
            NoSuchGuestError: Its only reader is not on record.
        """

    async def message(self, message_id: int) -> SavedMessage | None:
        """Finds a message by id."""

    async def change_message(self, message_id: int, content: Mapping[str, Any], files: Files) -> None:
        """Lets a message show something else, with these files alone; it keeps its place."""

    async def delete_message(self, message_id: int) -> None:
        """Takes a message and its files off the record; one that is not there is no error."""

    async def file(self, message_id: int, digest: str) -> bytes | None:
        """Finds a file of a message."""

    async def history(self, room: str, guest: str | None, limit: int) -> Sequence[SavedMessage]:
        """Returns the newest `limit` messages of a room, oldest first.

        Args:
            room: The room.
            guest: Whose private messages to give (theirs alone); None for those that everybody sees.
            limit: How many at most.
        """
