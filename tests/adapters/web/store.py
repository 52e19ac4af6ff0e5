"""A guest store that forgets when the test ends."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from adapters.web import Draft, Files, Guest, NoSuchGuestError, SavedMessage


class MemoryStore:
    """Keeps guests and messages in dictionaries, in the order they came."""

    def __init__(self) -> None:
        self.at_tables: set[str] = set()
        """The guests who have been at a table."""
        self._guests: dict[str, Guest] = {}
        self._messages: dict[int, SavedMessage] = {}
        self._files: dict[int, Files] = {}
        self._newest = 0

    async def add_guest(self, guest: Guest) -> None:
        self._guests[guest.id] = guest

    async def guest(self, guest_id: str) -> Guest | None:
        return self._guests.get(guest_id)

    async def guest_by_secret(self, secret_hash: str) -> Guest | None:
        return next((guest for guest in self._guests.values() if guest.secret_hash == secret_hash), None)

    async def renew_secret(self, guest_id: str, secret_hash: str) -> None:
        self._guests[guest_id] = replace(self._guests[guest_id], secret_hash=secret_hash)

    async def make_owner(self, guest_id: str) -> None:
        for guest in self._guests.values():
            self._guests[guest.id] = replace(guest, is_owner=guest.id == guest_id)

    async def note_visits(self, guest_ids: Collection[str], at: float) -> None:
        for guest_id in self._guests.keys() & guest_ids:
            self._guests[guest_id] = replace(self._guests[guest_id], seen_at=at)

    async def count_newcomers(self) -> int:
        return len(self._newcomers())

    async def free_newcomers(
        self, unused_since: float, *, besides: Collection[str] = (), most: int | None = None
    ) -> int:
        gone = [
            newcomer
            for newcomer in self._newcomers()
            if newcomer.seen_at <= unused_since and newcomer.id not in besides
        ]
        for guest in sorted(gone, key=lambda guest: guest.seen_at)[:most]:
            del self._guests[guest.id]

        return len(gone[:most])

    def _newcomers(self) -> list[Guest]:
        return [
            guest for guest in self._guests.values() if not guest.is_owner and guest.id not in self.at_tables
        ]

    async def guests(self) -> Sequence[Guest]:
        return tuple(self._guests.values())

    async def remove_guest(self, guest_id: str) -> None:
        self._guests.pop(guest_id, None)
        for message in [stored for stored in self._messages.values() if stored.guest == guest_id]:
            await self.delete_message(message.id)

    async def rooms(self, limit: int) -> Sequence[str]:
        public = [message.room for message in self._messages.values() if message.guest is None]
        return list(dict.fromkeys(reversed(public)))[:limit]

    async def messages(self, after: int, limit: int) -> Sequence[SavedMessage]:
        return [message for number, message in self._messages.items() if number > after][:limit]

    async def forget_messages(self, *, public: int, pressable: int, private: int, most: int) -> int:
        old = list[int]()
        for place in {(message.room, message.guest) for message in self._messages.values()}:
            here = [message for message in self._messages.values() if (message.room, message.guest) == place]
            older = here[: -(public if place[1] is None else private)]
            with_buttons = [message for message in older if place[1] is None and message.content.get("rows")]
            kept = with_buttons[-pressable:]
            old += [message.id for message in older if message not in kept]

        for message_id in sorted(old)[:most]:
            await self.delete_message(message_id)

        return len(old[:most])

    async def add_message(self, draft: Draft, files: Files) -> SavedMessage:
        known = [message for message in self._messages.values() if draft.key and message.key == draft.key]
        if known:
            return known[0]
        if draft.guest is not None and draft.guest not in self._guests:
            raise NoSuchGuestError(draft.guest)

        self._newest += 1
        message = SavedMessage(
            draft.room,
            draft.guest,
            draft.kind,
            draft.content,
            draft.posted_at,
            self._newest,
            key=draft.key,
        )
        self._messages[message.id] = message
        self._files[message.id] = files

        return message

    def make_older(self, seconds: float) -> None:
        """Makes all messages older, as if the time had passed."""
        for message in self._messages.values():
            self._messages[message.id] = replace(message, posted_at=message.posted_at - seconds)

    async def message(self, message_id: int) -> SavedMessage | None:
        return self._messages.get(message_id)

    async def change_message(self, message_id: int, content: Mapping[str, Any], files: Files) -> None:
        self._messages[message_id] = replace(self._messages[message_id], content=content)
        self._files[message_id] = files

    async def delete_message(self, message_id: int) -> None:
        self._messages.pop(message_id, None)
        self._files.pop(message_id, None)

    async def file(self, message_id: int, digest: str) -> bytes | None:
        return self._files.get(message_id, {}).get(digest)

    async def history(self, room: str, guest: str | None, limit: int) -> Sequence[SavedMessage]:
        seen = [
            message for message in self._messages.values() if (message.room, message.guest) == (room, guest)
        ]
        return tuple(seen[-limit:])
