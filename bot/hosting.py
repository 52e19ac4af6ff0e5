"""What the buttons of a table's host do."""

from dataclasses import replace

from adapters.port import Reply, User
from bot.deadlines import Deadlines
from bot.hosts import Hosts
from bot.lobby import Lobby
from bot.locale import Voice
from bot.parlour import Parlour
from bot.screens import refusals
from bot.screens.host import HOST_PANEL
from bot.stage import Stage
from bot.tokens import HostAction, HostGame


class Hosting:
    """Lets the opener of a table, and the admins of its chat, take care of a running game."""

    def __init__(self, parlour: Parlour, deadlines: Deadlines, hosts: Hosts, stage: Stage) -> None:
        self._parlour = parlour
        self._deadlines = deadlines
        self._hosts = hosts
        self._stage = stage

    async def act(
        self, lobby: Lobby, user: User, token: HostGame, voice: Voice, *, is_private: bool
    ) -> Reply:
        """Do what a button says, if it is for this person to do; `is_private`: they see the buttons alone.

        Raises:
            LobbyRefused: No game is running.
        """
        if not await self._hosts.may_manage(user.ref, lobby):
            return Reply(toast=voice.say(refusals.NOT_YOURS_TO_HOST))
        panel = None if token.action is HostAction.CLOSE else HOST_PANEL
        match token.action:
            case HostAction.OPEN | HostAction.CLOSE if is_private:
                lobby.host(panel)  # refused where no game runs
            case HostAction.OPEN | HostAction.CLOSE:
                await self._parlour.change(lobby.id, lambda now: now.host(panel))
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
        if not is_private:
            return Reply()
        lobby = await self._parlour.lobby(lobby.id)
        return Reply(private=await self._stage.panel(replace(lobby, panel=panel), voice))

    async def _replace(self, lobby: Lobby, seat: int | None) -> None:
        sitter = lobby.sitters[seat] if seat is not None and seat < len(lobby.sitters) else None
        if sitter is not None and sitter.user is not None:
            replaced = sitter.user
            await self._parlour.change(lobby.id, lambda now: now.hand_over(replaced))
