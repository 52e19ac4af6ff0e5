"""What the buttons of a table's host do."""

from adapters.port import Reply, User
from bot.deadlines import Deadlines
from bot.hosts import Hosts
from bot.lobby import Lobby
from bot.locale import Voice
from bot.parlour import Parlour
from bot.screens import refusals
from bot.screens.host import HOST_PANEL
from bot.tokens import HostAction, HostGame


class Hosting:
    """Lets the opener of a table, and the admins of its chat, take care of a running game."""

    def __init__(self, parlour: Parlour, deadlines: Deadlines, hosts: Hosts) -> None:
        self._parlour = parlour
        self._deadlines = deadlines
        self._hosts = hosts

    async def act(self, lobby: Lobby, user: User, token: HostGame, voice: Voice) -> Reply:
        """Do what a button says, if it is for this person to do.

        Raises:
            LobbyRefused: No game is running.
        """
        if not await self._hosts.may_manage(user.ref, lobby):
            return Reply(toast=voice.say(refusals.NOT_YOURS_TO_HOST))
        match token.action:
            case HostAction.OPEN:
                await self._parlour.change(lobby.id, lambda now: now.host(HOST_PANEL))
            case HostAction.CLOSE:
                await self._parlour.change(lobby.id, lambda now: now.host(None))
            case HostAction.PAUSE:
                await self._parlour.change(lobby.id, lambda now: now.pause(is_paused=True))
            case HostAction.RESUME:
                await self._parlour.change(lobby.id, lambda now: now.pause(is_paused=False))
                self._deadlines.served_again(lobby.id)
            case HostAction.SKIP:
                await self._deadlines.move_for_all(lobby.id)
            case HostAction.REPLACE:
                await self._replace(lobby, token.seat)
            case HostAction.STOP:
                await self._parlour.change(lobby.id, Lobby.close)
        return Reply()

    async def _replace(self, lobby: Lobby, seat: int | None) -> None:
        sitter = lobby.sitters[seat] if seat is not None and seat < len(lobby.sitters) else None
        if sitter is not None and sitter.user is not None:
            replaced = sitter.user
            await self._parlour.change(lobby.id, lambda now: now.hand_over(replaced))
