"""What buttons do."""

from collections.abc import Mapping

from adapters.port import ChatPort, Press, Reply, Screen, User
from bot.delivery.message_index import Showings
from bot.delivery.presenter import Stage
from bot.delivery.reachability import Doors
from bot.handlers.hints import Hints
from bot.handlers.host import Hosting
from bot.handlers.rights import Hosts
from bot.handlers.statistics import Tally
from bot.handlers.table_settings import Options
from bot.locale import Voice
from bot.model.button_data import (
    AfterGame,
    AskHint,
    ChangeLobby,
    ChangeOption,
    EndAction,
    HostGame,
    LobbyAction,
    OwnHand,
    PlayMove,
    QuitAction,
    QuitGame,
    ShowHand,
    SortHand,
    Token,
)
from bot.model.table import Lobby, LobbyRefusedError, Phase
from bot.screens import refusals
from bot.screens.refusals import lobby_refusal, move_refusal
from bot.storage import Players
from bot.tables.deals import trace_of
from bot.tables.scheduler import Deadlines
from bot.tables.service import NoSuchTableError, Parlour
from bot.tongues import Tongues
from engine.runtime import Accepted, Closed, Refused, SessionFrozenError, Stale, Unreadable


class Presses:
    """Does what a button says, and says what the presser sees then."""

    def __init__(
        self,
        *,
        parlour: Parlour,
        options: Options,
        hosting: Hosting,
        deadlines: Deadlines,
        stage: Stage,
        doors: Doors,
        hosts: Hosts,
        players: Players,
        hints: Hints,
        showings: Showings,
        tally: Tally,
        tongues: Tongues,
        ports: Mapping[str, ChatPort],
    ) -> None:
        self._parlour = parlour
        self._options = options
        self._hosting = hosting
        self._deadlines = deadlines
        self._stage = stage
        self._doors = doors
        self._hosts = hosts
        self._players = players
        self._hints = hints
        self._showings = showings
        self._tally = tally
        self._tongues = tongues
        self._ports = ports

    async def reply(self, press: Press, token: Token) -> Reply:
        """Do what a button says for who pressed it; nothing happens when it cannot be."""
        user = press.user
        voice = await self._tongues.voice_for(user.ref)
        try:
            lobby = await self._parlour.lobby(token.table_id)
            if not await self._is_from_there(lobby, press, token):
                return Reply(toast=voice.say(refusals.NO_TABLE))  # nor whether there is one elsewhere
            if lobby.is_damaged:
                return Reply(toast=voice.say(refusals.FROZEN))
            lobby = await self._note_presence(lobby, user)
            return await self._do(lobby, press, token, voice)
        except NoSuchTableError:
            return Reply(toast=voice.say(refusals.NO_TABLE))
        except SessionFrozenError:
            return Reply(toast=voice.say(refusals.FROZEN))
        except LobbyRefusedError as refused:
            return Reply(toast=lobby_refusal(refused, voice))

    async def _is_from_there(self, lobby: Lobby, press: Press, token: Token) -> bool:
        """Whether a button of this table can stand where it was pressed.

        Some chats do not say in which topic an old message stands, so the table's own messages count, too.
        """
        return (
            press.room == lobby.room
            or (token.is_private and press.is_private and lobby.seat_of(press.user.ref) is not None)
            or await self._showings.is_public_message(lobby.id, press.message)
        )

    async def _opens_panels_alone(self, lobby: Lobby, press: Press) -> bool:
        """Whether panels open for the presser alone: not where that would take the place of the table."""
        limits = self._ports[press.message.platform].limits
        is_table = press.is_private and await self._showings.is_public_message(lobby.id, press.message)
        return limits.ephemeral_answers and not is_table

    async def _do(self, lobby: Lobby, press: Press, token: Token, voice: Voice) -> Reply:
        user, event = press.user, press.id
        match token:
            case PlayMove():
                return await self._play(lobby, user, token, voice)
            case ShowHand() | SortHand() | AskHint():
                return await self._own_hand(lobby, user, token, voice)
            case ChangeLobby() | ChangeOption() | HostGame() | QuitGame() | AfterGame() if (
                token.game != lobby.game
            ):
                return Reply(toast=voice.say(refusals.PAST_GAME))
            case ChangeLobby():
                return await self._change_lobby(lobby, user, token.action, event, voice)
            case ChangeOption():
                is_private = await self._opens_panels_alone(lobby, press)
                return await self._options.change(lobby, user, token.what, voice, is_private=is_private)
            case HostGame():
                is_private = await self._opens_panels_alone(lobby, press)
                return await self._hosting.act(lobby, user, token, voice, is_private=is_private)
            case QuitGame():
                return await self._quit(lobby, user, token.action, voice)
            case AfterGame():
                return await self._after_game(lobby, user, token.action)

    async def _note_presence(self, lobby: Lobby, user: User) -> Lobby:
        """Give a seat back to somebody who was away or had left: any press will do."""
        seat = lobby.seat_of(user.ref)
        if seat is not None and lobby.phase is Phase.PLAYING:
            if lobby.sitters[seat].has_left:
                lobby = await self._parlour.change(lobby.id, lambda now: now.take_back(user.ref))
            self._deadlines.came_back(lobby, await self._parlour.session(lobby.id), seat)
        return lobby

    # --- a running game -----------------------------------------------------------------------------------

    async def _play(self, lobby: Lobby, user: User, token: PlayMove, voice: Voice) -> Reply:
        seat = lobby.seat_of(user.ref)
        if seat is None:
            return Reply(toast=voice.say(refusals.NOT_SEATED))
        result = await self._parlour.submit(lobby.id, seat, token.move, token.version)
        toast: str | None
        match result:
            case Accepted():
                toast = None
            case Stale():
                toast = voice.say(refusals.STALE)
            case Refused(reason):
                toast = move_refusal(reason, voice)
            case Unreadable():
                toast = voice.say(refusals.UNREADABLE)
            case Closed():
                toast = voice.say(refusals.OVER)
        return Reply(toast=toast, private=await self._fresh_hand(lobby.id, user))

    async def _own_hand(self, lobby: Lobby, user: User, token: OwnHand, voice: Voice) -> Reply:
        match token:
            case ShowHand(page=page):
                return await self._show_hand(lobby, user, page, voice)
            case SortHand(order=order):
                await self._players.choose_hand_order(user.ref, order)
                return await self._show_hand(lobby, user, 0, voice)
            case AskHint():
                return await self._hints.show(lobby, user, voice)

    async def _show_hand(self, lobby: Lobby, user: User, page: int | None, voice: Voice) -> Reply:
        if lobby.seat_of(user.ref) is None:
            return Reply(toast=voice.say(refusals.NOT_SEATED))
        hand = await self._stage.hand(lobby, user.ref, page=page)
        return Reply(toast=None if hand else voice.say(refusals.NOT_DEALT), private=hand)

    async def _quit(self, lobby: Lobby, user: User, action: QuitAction, voice: Voice) -> Reply:
        toast: str | None = None
        match action:
            case QuitAction.ASK:
                return await self._show_hand(lobby, user, None, voice)
            case QuitAction.LEAVE:
                await self._parlour.change(lobby.id, lambda now: now.hand_over(user.ref))
            case QuitAction.RESIGN:
                result = await self._parlour.resign(lobby.id, user)
                toast = move_refusal(result.reason, voice) if isinstance(result, Refused) else None
            case QuitAction.STAY:
                return await self._show_hand(lobby, user, 0, voice)
        return Reply(toast=toast, private=await self._fresh_hand(lobby.id, user))

    async def _fresh_hand(self, table_id: int, user: User) -> Screen | None:
        return await self._stage.hand(await self._parlour.lobby(table_id), user.ref)

    # --- before and after -----------------------------------------------------------------------------------

    async def _change_lobby(
        self, lobby: Lobby, user: User, action: LobbyAction, event: str, voice: Voice
    ) -> Reply:
        match action:
            case LobbyAction.JOIN:
                await self._parlour.change(lobby.id, lambda now: now.join(user, trace_of(event)))
                return Reply(open_private=not await self._doors.has_answered(user.ref))
            case LobbyAction.LEAVE:
                await self._parlour.change(lobby.id, lambda now: now.leave(user.ref))
            case LobbyAction.SEATS:
                await self._parlour.change(lobby.id, lambda now: now.change_seats(user.ref))
            case LobbyAction.HOUSE:
                await self._parlour.change(lobby.id, lambda now: now.add_house(user.ref))
            case LobbyAction.UNHOUSE:
                await self._parlour.change(lobby.id, lambda now: now.remove_house(user.ref))
            case LobbyAction.START:
                if not await self._hosts.may_manage(user.ref, lobby):
                    return Reply(toast=voice.say(refusals.NOT_YOURS_TO_HOST))
                await self._parlour.start(lobby.id, lobby.opener, event=event)
            case LobbyAction.CLOSE:
                if not await self._hosts.may_manage(user.ref, lobby):
                    return Reply(toast=voice.say(refusals.NOT_YOURS_TO_CLOSE))
                await self._parlour.change(lobby.id, lambda now: now.call_off())
        return Reply()

    async def _after_game(self, lobby: Lobby, user: User, action: EndAction) -> Reply:
        match action:
            case EndAction.REMATCH:
                await self._parlour.rematch(lobby.id, user)
                return Reply()
            case EndAction.LEADERBOARD:
                public = Voice(lobby.locale)
                return Reply(public=await self._tally.leaderboard(lobby.room.server, public))
