"""Tracks closed chats: people and rooms that the bot cannot write to."""

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from cachetools import LRUCache

from adapters.port import Backoff, Everyone, Only, RoomRef, UserRef
from bot.cache import LIMITS
from bot.model.messages import OnlyInRoom, Reader
from bot.people import People

# Pauses before a chat that refused a message is tried again. A chat that removed the bot gets the longest
# one at once, as platforms ban bots that keep trying.
ATTEMPTS = Backoff(first=30.0, most=60 * 60.0)


@dataclass(frozen=True, slots=True)
class _Closed:
    """A closed chat: when it is tried again (event loop time), and the refusals so far.

    `with_topics`: the bot was removed from the room with all its topics.
    """

    until: float = 0.0
    refusals: int = 0
    with_topics: bool = False

    def after_refusal(self) -> "_Closed":
        """Returns the closure after one more refusal, which happened now."""
        refusals = self.refusals + 1
        pause = ATTEMPTS.most if self.with_topics else ATTEMPTS.pause(refusals)
        until = asyncio.get_running_loop().time() + pause
        return replace(self, until=until, refusals=refusals)


class Reachability:
    """Tracks the people and rooms that the bot cannot write to.

    Everybody is reachable until a delivery fails or the chat reports otherwise. Chats do not report every
    change of rights, so a closed room or person is tried again after a pause, and after a restart. That a
    person is reachable is also stored, so that nobody is asked twice to open the private chat.

    Attributes:
        closed_people: The people whom the bot cannot write to.
        on_opened: Called with each room that opens again.
        on_retry: Called with a closed room or person when its pause is over, or when it opens again.
    """

    def __init__(self, people: People, platforms: Collection[str]) -> None:
        """Creates the tracker; rooms of platforms that are not among these are never served."""
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
        """Returns whether a message to this reader may be tried now.

        Always true for ephemeral messages in a room: a press opened them, so the room's rights do not apply,
        and if they are gone with the room, the attempt shows that.
        """
        now = asyncio.get_running_loop().time()
        return all(closure.until <= now for closure in self._closures_for(reader))

    def is_closed(self, reader: Reader) -> bool:
        """Returns whether the reader's chat is closed, even if its pause is over."""
        return bool(self._closures_for(reader))

    async def mark_person_unreachable(self, user: UserRef) -> None:
        """Marks a person unreachable, and schedules the next attempt.

        The person has to be notified, unless they have found their cards in a room.
        """
        if user not in self.closed_people and user not in self._found_cards:
            self._unnotified.add(user)

        closure = self.closed_people.get(user, _Closed()).after_refusal()
        self.closed_people[user] = closure
        self._schedule_retry(user, closure)
        await self._people.set_reachable(user, reachable=False)

    async def mark_person_reachable(self, user: UserRef) -> None:
        """Marks a person reachable, and retries their messages."""
        was_closed = user in self.closed_people
        self.forget(user)
        if was_closed:
            self._retry(user)

        await self._people.set_reachable(user, reachable=True)

    def is_unnotified(self, user: UserRef) -> bool:
        """Returns whether a person is unreachable and was not notified of that."""
        return user in self._unnotified

    def take_unnotified(self, user: UserRef) -> bool:
        """Returns whether a person must be notified of being unreachable, which the caller has to do."""
        is_unnotified = user in self._unnotified
        self._unnotified.discard(user)
        return is_unnotified

    def note_found_cards(self, user: UserRef) -> None:
        """Records that a person opened their cards in a room, so that they need no notice."""
        self._found_cards[user] = True
        self._unnotified.discard(user)

    def knows_way(self, user: UserRef) -> bool:
        """Returns whether a person opened their cards in a room, or was notified of how to do so."""
        was_notified = user in self.closed_people and user not in self._unnotified
        return was_notified or user in self._found_cards

    def forget(self, user: UserRef) -> None:
        """Drops everything about a person."""
        self._found_cards.pop(user, None)
        self.closed_people.pop(user, None)
        self._unnotified.discard(user)

    def refused_in_room(self, room: RoomRef) -> None:
        """Records a refused message in the room, and schedules the next attempt."""
        closure = self._closed_rooms.get(room, _Closed()).after_refusal()
        self._closed_rooms[room] = closure
        self._schedule_retry(room, closure)

    def mark_room_unreachable(self, room: RoomRef) -> None:
        """Marks a room and its topics unreachable; no retry, as the chat reports the bot's return as well."""
        until = asyncio.get_running_loop().time() + ATTEMPTS.most
        self._closed_rooms[room] = _Closed(until, with_topics=True)

    def mark_room_reachable(self, room: RoomRef) -> None:
        """Marks a room reachable, with its topics and with the whole room of a topic; retries messages."""
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
        """Returns the closures that keep messages from a reader."""
        match reader:
            case Only(user):
                return [self.closed_people[user]] if user in self.closed_people else []
            case Everyone(room):
                return self._closures(room)
            case OnlyInRoom():
                return []

    def _closures(self, room: RoomRef) -> list[_Closed]:
        """Returns a room's own closure, if any, and for a topic also that of the whole room."""
        closures = []

        own = self._closed_rooms.get(room)
        if own is not None:
            closures.append(own)

        whole = self._closed_rooms.get(RoomRef(room.server, room.id))
        if whole is not None and whole is not own and whole.with_topics:
            closures.append(whole)

        return closures
