"""Who may manage a table."""

from collections.abc import Mapping

from adapters.port import ChatPort, RoomRef, UserRef
from bot.model.table import Table


class Rights:
    """Knows who has a say over tables besides the players."""

    def __init__(self, ports: Mapping[str, ChatPort]) -> None:
        self._ports = ports

    async def may_manage(self, user: UserRef, table: Table) -> bool:
        """Whether this person opened the table or moderates the room where it stands now."""
        return user == table.opener or await self.may_moderate(user, table.room)

    async def may_moderate(self, user: UserRef, room: RoomRef) -> bool:
        """Whether this person moderates a room."""
        return await self._ports[user.platform].is_moderator(user, room)
