"""Closed chats: people without private messages, and rooms without any from the bot."""

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from cachetools import LRUCache

from adapters.port import Backoff, Everyone, Only, RoomRef, UserRef
from bot.cache import LIMITS
from bot.model.messages import OnlyInRoom, Reader
from bot.people import People

# Before a chat that refused a message is tried again. One that has removed the bot rests for the longest
# pause: chats ban bots that keep trying.
ATTEMPTS = Backoff(first=30.0, most=60 * 60.0)


@dataclass(frozen=True, slots=True)
class _Closed:
    """A closed chat: when it is tried again, and after how many refusals.

    `with_topics`: the bot was removed from the whole of it.
    """

    until: float = 0.0
    refusals: int = 0
    with_topics: bool = False

    def after_refusal(self) -> "_Closed":
        """Returns it closed from now on, after one more refusal."""
        refusals = self.refusals + 1
        pause = ATTEMPTS.most if self.with_topics else ATTEMPTS.pause(refusals)
        until = asyncio.get_running_loop().time() + pause
        return replace(self, until=until, refusals=refusals)


class Reachability:
    """Tracks the people and rooms that can't be written to; all can until a delivery or the chat refuses.

    A reachable person is also stored, so that nobody is asked twice to open the private chat. An unreachable
    one is tried again after a restart.

    Chats don't report every change of rights, so a closed room or person is tried again after a pause.

    Attributes:
        closed_people: The people that can't be written to.
        on_opened: Called with each room that opens again.
        on_retry: Called with each closed room or person when its pause is over, or when it opens again.
    """

    def __init__(self, people: People, platforms: Collection[str]) -> None:
        """Serves these platforms."""
        self._people = people
        self._platforms = platforms
        self.closed_people: dict[UserRef, _Closed] = {}
        self._unnotified: set[UserRef] = set()
        self._found_cards = LRUCache[UserRef, bool](LIMITS.known)
        self._closed_rooms: dict[RoomRef, _Closed] = {}
        self.on_opened: list[Callable[[RoomRef], None]] = []
        self.on_retry: list[Callable[[RoomRef | UserRef], None]] = []

    def is_served(self, room: RoomRef) -> bool:
        """Returns whether the bot can write in a room."""
        return room.server.platform in self._platforms and not self._closures(room)

    def may_try(self, reader: Reader) -> bool:
        """Returns whether a message to this reader is worth sending now.

        An ephemeral message in a room was opened by a press: the room's rights don't concern it, and if it is
        gone with the room, the attempt shows it.
        """
        now = asyncio.get_running_loop().time()
        return all(closure.until <= now for closure in self._closures_for(reader))

    def is_closed(self, reader: Reader) -> bool:
        """Returns whether the newest message to this reader was refused; only a delivery ends that."""
        return bool(self._closures_for(reader))

    async def mark_person_unreachable(self, user: UserRef) -> None:
        """Marks a person unreachable, to be notified once, and schedules the next attempt."""
        if user not in self.closed_people and user not in self._found_cards:
            self._unnotified.add(user)

        closure = self.closed_people.get(user, _Closed()).after_refusal()
        self.closed_people[user] = closure
        self._schedule_retry(user, closure)
        await self._people.set_reachable(user, reachable=False)

    async def mark_person_reachable(self, user: UserRef) -> None:
        """Marks a person reachable."""
        was_closed = user in self.closed_people
        self.forget(user)
        if was_closed:
            self._retry(user)

        await self._people.set_reachable(user, reachable=True)

    def is_unnotified(self, user: UserRef) -> bool:
        """Returns whether a person can't be written to, and hasn't been notified of it."""
        return user in self._unnotified

    def take_unnotified(self, user: UserRef) -> bool:
        """Returns whether a person has yet to be notified of being unreachable; the caller notifies them."""
        is_unnotified = user in self._unnotified
        self._unnotified.discard(user)
        return is_unnotified

    def note_found_cards(self, user: UserRef) -> None:
        """Records that a person has opened their cards in a room: nobody needs to show them the way."""
        self._found_cards[user] = True
        self._unnotified.discard(user)

    def knows_way(self, user: UserRef) -> bool:
        """Returns whether a person has opened their cards in a room, or was shown the way to do so."""
        was_notified = user in self.closed_people and user not in self._unnotified
        return was_notified or user in self._found_cards

    def forget(self, user: UserRef) -> None:
        """Drops the marks of a person."""
        self._found_cards.pop(user, None)
        self.closed_people.pop(user, None)
        self._unnotified.discard(user)

    def refused_in_room(self, room: RoomRef) -> None:
        """Records a refused message in the room, and schedules the next attempt."""
        closure = self._closed_rooms.get(room, _Closed()).after_refusal()
        self._closed_rooms[room] = closure
        self._schedule_retry(room, closure)

    def mark_room_unreachable(self, room: RoomRef) -> None:
        """Marks a room unreachable with its topics, as the chat reports it; it reports its return as well."""
        until = asyncio.get_running_loop().time() + ATTEMPTS.most
        self._closed_rooms[room] = _Closed(until, with_topics=True)

    def mark_room_reachable(self, room: RoomRef) -> None:
        """Marks a room reachable; a whole one with its topics."""
        whole = RoomRef(room.server, room.id)

        for closed_room in list(self._closed_rooms):
            is_topic_of_room = RoomRef(closed_room.server, closed_room.id) == room
            if closed_room not in (room, whole) and not is_topic_of_room:
                continue

            del self._closed_rooms[closed_room]
            for on_opened in self.on_opened:
                on_opened(closed_room)

            self._retry(closed_room)

    def _schedule_retry(self, where: RoomRef | UserRef, closure: _Closed) -> None:
        asyncio.get_running_loop().call_at(closure.until, self._retry, where)

    def _retry(self, where: RoomRef | UserRef) -> None:
        for on_retry in self.on_retry:
            on_retry(where)

    def _closures_for(self, reader: Reader) -> list[_Closed]:
        """Returns the reasons that keep messages from a reader."""
        match reader:
            case Only(user):
                return [self.closed_people[user]] if user in self.closed_people else []
            case Everyone(room):
                return self._closures(room)
            case OnlyInRoom():
                return []

    def _closures(self, room: RoomRef) -> list[_Closed]:
        """Returns the reasons that close a room: its own refusals, and a removal from the whole of it."""
        closures = []

        own = self._closed_rooms.get(room)
        if own is not None:
            closures.append(own)

        whole = self._closed_rooms.get(RoomRef(room.server, room.id))
        if whole is not None and whole is not own and whole.with_topics:
            closures.append(whole)

        return closures
