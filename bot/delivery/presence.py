"""Finds people who left a chat, so that they are not asked, called or dealt in."""

from collections.abc import Collection, Iterable, Mapping

from adapters.port import Chat, RoomRef, UserRef
from bot.people import People


class Presence:
    """Finds people who left a room, from the chat's reports or by asking it."""

    def __init__(self, chats: Mapping[str, Chat], people: People) -> None:
        self._chats = chats
        self._people = people

    async def is_gone(self, user: UserRef, room: RoomRef) -> bool:
        """Returns whether a person is known to have left a room; False if the chat can't tell."""
        server = room.server
        if self._people.has_left(user, room):
            return True

        chat = self._chats.get(server.platform)
        is_of_chat = user.platform == server.platform  # forgotten people have no platform
        if chat is None or not is_of_chat or chat.private_server(user) == server:
            return False

        is_gone = await chat.is_member(user, room) is False
        if is_gone:
            self._people.leave(user, room)

        return is_gone

    async def gone(self, users: Iterable[UserRef], room: RoomRef) -> Collection[UserRef]:
        """Returns those of these people who are known to have left."""
        return {user for user in users if await self.is_gone(user, room)}
