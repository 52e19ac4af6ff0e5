"""Which chats are closed to the bot: people it may not write to, rooms that do not take its messages."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from adapters.port import Only, RoomRef, UserRef
from bot.model.messages import OnlyInRoom, Reader
from bot.people import People

FIRST_PAUSE = 30.0
"""Seconds after which a chat that refused a message is tried again; each refusal doubles them."""

LONGEST_PAUSE = 60 * 60.0
"""A chat that has thrown the bot out for good is asked no oftener: chats ban bots that do not take no."""


@dataclass(frozen=True, slots=True)
class _Closed:
    """A closed chat: when it is worth a try, after which pause, and whether its topics are closed, too."""

    until: float
    pause: float
    with_topics: bool = False


class Reachability:
    """Who cannot be written to; all can until a delivery or the chat says otherwise.

    That a person can be written to is also kept in storage, so that no person is asked twice to open the
    private chat. That they cannot is tried again after a restart.

    Chats do not report every change of rights, so a closed room or person is tried again after a pause.
    """

    def __init__(self, people: People) -> None:
        self._people = people
        self._closed_people: dict[UserRef, _Closed] = {}
        self._to_tell: set[UserRef] = set()
        self._closed_rooms: dict[RoomRef, _Closed] = {}
        self._on_opened: list[Callable[[RoomRef], None]] = []

    def subscribe(self, on_opened: Callable[[RoomRef], None]) -> None:
        """Call this whenever a room that was closed is open again."""
        self._on_opened.append(on_opened)

    def is_reachable(self, audience: Reader) -> bool:
        """Whether messages to this audience arrive, as far as is known."""
        if isinstance(audience, Only):
            return audience.user not in self._closed_people
        return self.is_room_reachable(audience.room)

    def is_room_reachable(self, room: RoomRef) -> bool:
        """Whether the bot may write in the room."""
        return not self._closing(room)

    def may_try(self, audience: Reader) -> bool:
        """Whether a message to this audience is worth sending now.

        What a person sees alone in a room was opened by a press: rights that are taken away in the room leave
        it as it is, and if it is gone with the room, the attempt shows it.
        """
        match audience:
            case Only(user):
                closing = [self._closed_people[user]] if user in self._closed_people else []
            case OnlyInRoom():
                closing = []
            case _:
                closing = self._closing(audience.room)
        if not closing:
            return True
        now = asyncio.get_running_loop().time()
        return all(closed.until <= now for closed in closing)

    async def was_ever_reached(self, user: UserRef) -> bool:
        """Whether a message has ever reached this person."""
        return bool((await self._people.profile(user)).reachable)

    async def mark_person_unreachable(self, user: UserRef) -> float:
        """Remember that this person cannot be written to; they are to be told once.

        Returns:
            After how many seconds to try again.
        """
        if user not in self._closed_people:
            self._to_tell.add(user)
        pause = _next_pause(self._closed_people.get(user))
        self._closed_people[user] = _Closed(asyncio.get_running_loop().time() + pause, pause)
        await self._people.set_reachable(user, reachable=False)
        return pause

    async def mark_person_reachable(self, user: UserRef) -> None:
        """Remember that this person can be written to."""
        self._closed_people.pop(user, None)
        self._to_tell.discard(user)
        await self._people.set_reachable(user, reachable=True)

    def take_untold(self, user: UserRef) -> bool:
        """Whether a person has yet to be told that nothing can be written to them; the caller tells them."""
        is_untold = user in self._to_tell
        self._to_tell.discard(user)
        return is_untold

    def forget(self, user: UserRef) -> None:
        """Drop what is known of a person."""
        self._closed_people.pop(user, None)
        self._to_tell.discard(user)

    def refused_in_room(self, room: RoomRef) -> float:
        """Remember that a message was refused in the room; returns after how many seconds to try again."""
        before = self._closed_rooms.get(room)
        pause = _next_pause(before)
        self._close(room, pause, with_topics=before is not None and before.with_topics)
        return pause

    def mark_room_unreachable(self, room: RoomRef) -> None:
        """Remember that the bot may not write in the room, nor in its topics: the chat says so."""
        self._close(room, LONGEST_PAUSE, with_topics=True)

    def mark_room_reachable(self, room: RoomRef) -> None:
        """Remember that the bot may write in the room; in a whole one, also in its topics."""
        opened = [each for each in self._closed_rooms if each in (room, _whole(room)) or _whole(each) == room]
        for each in opened:
            del self._closed_rooms[each]
        for each in opened:
            for on_opened in self._on_opened:
                on_opened(each)

    def _close(self, room: RoomRef, pause: float, *, with_topics: bool) -> None:
        until = asyncio.get_running_loop().time() + pause
        self._closed_rooms[room] = _Closed(until, pause, with_topics)

    def _closing(self, room: RoomRef) -> list[_Closed]:
        """Return what closes a room: its own refusals, and a removal from the whole of it."""
        own, whole = self._closed_rooms.get(room), self._closed_rooms.get(_whole(room))
        return [each for each in (own, whole) if each is not None and (each is own or each.with_topics)]


def _next_pause(before: _Closed | None) -> float:
    return FIRST_PAUSE if before is None else min(2 * before.pause, LONGEST_PAUSE)


def _whole(room: RoomRef) -> RoomRef:
    """Return the room without the topic."""
    return RoomRef(room.server, room.id)
