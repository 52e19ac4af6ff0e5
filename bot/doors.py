"""Which chats are closed to the bot: people it may not write to, rooms it was removed from."""

from adapters.port import Audience, Only, RoomRef, UserRef
from bot.storage import Players


class Doors:
    """Closed doors; everything is open until a delivery says otherwise.

    That a person can be written to is also kept in storage, so that nobody is asked twice to open the private
    chat. That they cannot is tried anew after a restart.
    """

    def __init__(self, players: Players) -> None:
        self._players = players
        self._closed_people: set[UserRef] = set()
        self._closed_rooms: set[RoomRef] = set()

    def is_open(self, audience: Audience) -> bool:
        """Whether a message to this audience has a chance to arrive."""
        if isinstance(audience, Only):
            return audience.user not in self._closed_people
        return self.is_room_open(audience.room)

    def is_room_open(self, room: RoomRef) -> bool:
        """Whether the bot may write in the room; a removal from the room closes its topics, too."""
        return not {room, RoomRef(room.server, room.id)} & self._closed_rooms

    async def has_answered(self, user: UserRef) -> bool:
        """Whether a message has ever reached this person."""
        return bool(await self._players.reachable(user))

    async def close_person(self, user: UserRef) -> None:
        """Remember that this person cannot be written to."""
        self._closed_people.add(user)
        await self._players.set_reachable(user, reachable=False)

    async def open_person(self, user: UserRef) -> None:
        """Remember that this person can be written to."""
        self._closed_people.discard(user)
        await self._players.set_reachable(user, reachable=True)

    def close_room(self, room: RoomRef) -> None:
        """Remember that the bot may not write in the room."""
        self._closed_rooms.add(room)

    def open_room(self, room: RoomRef) -> None:
        """Remember that the bot may write in the room and in its topics."""
        self._closed_rooms = {
            closed for closed in self._closed_rooms if (closed.server, closed.id) != (room.server, room.id)
        }
