"""Who may manage a table."""

from collections.abc import Mapping

from adapters.port import ChatPort, UserRef
from bot.lobby import Lobby


class Hosts:
    """Knows who has a say over tables besides the players."""

    def __init__(self, ports: Mapping[str, ChatPort]) -> None:
        self._ports = ports

    async def may_manage(self, user: UserRef, lobby: Lobby) -> bool:
        """Whether this person opened the table or moderates the room where it stands now."""
        return user == lobby.opener or await self._ports[user.platform].is_moderator(user, lobby.room)
