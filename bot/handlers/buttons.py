"""What buttons do."""

from collections.abc import Mapping

from adapters.port import ChatPort, Only, Press, Reply, Screen, User
from bot.delivery.message_index import MessageIndex
from bot.delivery.presenter import Presenter
from bot.delivery.reachability import Reachability
from bot.handlers.hints import Hints
from bot.handlers.host import HostPanel
from bot.handlers.rights import Rights
from bot.handlers.statistics import Statistics
from bot.handlers.table_settings import TableSettings
from bot.locale import Translator
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
from bot.model.table import Phase, Table, TableRefusedError
from bot.people import People
from bot.screens import refusals
from bot.screens.redirects import where_cards_come
from bot.screens.refusals import move_refusal, table_refusal
from bot.tables.deals import trace_of
from bot.tables.scheduler import Scheduler
from bot.tables.service import NoSuchTableError, TableService
from engine.runtime import Accepted, Closed, Refused, SessionFrozenError, Stale, Unreadable


class ButtonHandler:
    """Does what a button says, and says what the presser sees then."""

    def __init__(
        self,
        *,
        tables: TableService,
        table_settings: TableSettings,
        host_panel: HostPanel,
        scheduler: Scheduler,
        presenter: Presenter,
        reachability: Reachability,
        rights: Rights,
        hints: Hints,
        message_index: MessageIndex,
        statistics: Statistics,
        people: People,
        ports: Mapping[str, ChatPort],
    ) -> None:
        self._tables = tables
        self._table_settings = table_settings
        self._host_panel = host_panel
        self._scheduler = scheduler
        self._presenter = presenter
        self._reachability = reachability
        self._rights = rights
        self._hints = hints
        self._message_index = message_index
        self._statistics = statistics
        self._people = people
        self._ports = ports

    async def reply(self, press: Press, token: Token) -> Reply:
        """Do what a button says for who pressed it; nothing happens when it cannot be."""
        user = press.user
        translator = await self._people.translator_for(user.ref)
        try:
            table = await self._tables.table(token.table_id)
            if not await self._is_from_there(table, press, token):
                return Reply(toast=translator.text(refusals.NO_TABLE))  # nor whether there is one elsewhere
            if table.is_damaged:
                return Reply(toast=translator.text(refusals.FROZEN))
            table = await self._note_presence(table, user)
            return await self._do(table, press, token, translator)
        except NoSuchTableError:
            return Reply(toast=translator.text(refusals.NO_TABLE))
        except SessionFrozenError:
            return Reply(toast=translator.text(refusals.FROZEN))
        except TableRefusedError as refused:
            return Reply(toast=table_refusal(refused, translator))

    async def _is_from_there(self, table: Table, press: Press, token: Token) -> bool:
        """Whether a button of this table can stand where it was pressed.

        Some chats do not say in which topic an old message stands, so the table's own messages count, too.
        """
        return (
            press.room == table.room
            or (token.is_private and press.is_private and table.seat_of(press.user.ref) is not None)
            or await self._message_index.is_public_message(table.id, press.message)
        )

    async def _opens_panels_alone(self, table: Table, press: Press) -> bool:
        """Whether panels open for the presser alone: not where that would take the place of the table."""
        limits = self._ports[press.message.platform].limits
        is_table = press.is_private and await self._message_index.is_public_message(table.id, press.message)
        return limits.ephemeral_answers and not is_table

    async def _do(self, table: Table, press: Press, token: Token, translator: Translator) -> Reply:
        user, event = press.user, press.id
        match token:
            case PlayMove():
                return await self._play(table, user, token, translator)
            case ShowHand() | SortHand() | AskHint():
                return await self._own_hand(table, user, token, translator)
            case ChangeLobby() | ChangeOption() | HostGame() | QuitGame() | AfterGame() if (
                token.game != table.game
            ):
                return Reply(toast=translator.text(refusals.PAST_GAME))
            case ChangeLobby():
                return await self._change_lobby(table, user, token.action, event, translator)
            case ChangeOption():
                is_private = await self._opens_panels_alone(table, press)
                shows_forms = self._ports[press.message.platform].limits.forms
                return await self._table_settings.change(
                    table, user, token.what, translator, is_private=is_private, shows_forms=shows_forms
                )
            case HostGame():
                is_private = await self._opens_panels_alone(table, press)
                return await self._host_panel.act(table, user, token, translator, is_private=is_private)
            case QuitGame():
                return await self._quit(table, user, token.action, translator)
            case AfterGame():
                is_elsewhere = press.is_private and press.room != table.room
                toast = translator.text(refusals.GATHERING_AGAIN) if is_elsewhere else None
                return await self._after_game(table, user, token.action, toast)

    async def _note_presence(self, table: Table, user: User) -> Table:
        """Give a seat back to somebody who was away or had left: any press will do."""
        seat = table.seat_of(user.ref)
        if seat is not None and table.phase is Phase.PLAYING:
            if table.players[seat].has_left:
                table = await self._tables.change(table.id, lambda now: now.take_back(user.ref))
            self._scheduler.came_back(table, await self._tables.session(table.id), seat)
        return table

    # --- a running game -----------------------------------------------------------------------------------

    async def _play(self, table: Table, user: User, token: PlayMove, translator: Translator) -> Reply:
        seat = table.seat_of(user.ref)
        if seat is None:
            return Reply(toast=translator.text(refusals.NOT_SEATED))
        result = await self._tables.submit(table.id, seat, token.move, token.version)
        toast: str | None
        match result:
            case Accepted():
                toast = None
            case Stale():
                toast = translator.text(refusals.STALE)
            case Refused(reason):
                toast = move_refusal(reason, translator)
            case Unreadable():
                toast = translator.text(refusals.UNREADABLE)
            case Closed():
                toast = translator.text(refusals.OVER)
        return Reply(toast=toast, private=await self._fresh_hand(table.id, user))

    async def _own_hand(self, table: Table, user: User, token: OwnHand, translator: Translator) -> Reply:
        match token:
            case ShowHand(page=page):
                return await self._show_hand(table, user, page, translator)
            case SortHand(order=order):
                await self._people.choose_hand_order(user.ref, order)
                return await self._show_hand(table, user, 0, translator)
            case AskHint():
                return await self._hints.show(table, user, translator)

    async def _show_hand(self, table: Table, user: User, page: int | None, translator: Translator) -> Reply:
        if table.seat_of(user.ref) is None:
            return Reply(toast=translator.text(refusals.NOT_SEATED))
        hand = await self._presenter.hand(table, user.ref, page=page)
        return Reply(toast=None if hand else translator.text(refusals.NOT_DEALT), private=hand)

    async def _quit(self, table: Table, user: User, action: QuitAction, translator: Translator) -> Reply:
        toast: str | None = None
        match action:
            case QuitAction.ASK:
                return await self._show_hand(table, user, None, translator)
            case QuitAction.LEAVE:
                await self._tables.change(table.id, lambda now: now.hand_over(user.ref))
            case QuitAction.RESIGN:
                result = await self._tables.resign(table.id, user)
                toast = move_refusal(result.reason, translator) if isinstance(result, Refused) else None
            case QuitAction.STAY:
                return await self._show_hand(table, user, 0, translator)
        return Reply(toast=toast, private=await self._fresh_hand(table.id, user))

    async def _fresh_hand(self, table_id: int, user: User) -> Screen | None:
        return await self._presenter.hand(await self._tables.table(table_id), user.ref)

    # --- before and after -----------------------------------------------------------------------------------

    async def _change_lobby(
        self, table: Table, user: User, action: LobbyAction, event: str, translator: Translator
    ) -> Reply:
        match action:
            case LobbyAction.JOIN:
                joined = await self._tables.change(table.id, lambda now: now.join(user, trace_of(event)))
                return await self._told_where_cards_come(joined, user, translator)
            case LobbyAction.LEAVE:
                await self._tables.change(table.id, lambda now: now.leave(user.ref))
            case LobbyAction.SEATS:
                await self._tables.change(table.id, lambda now: now.change_seats(user.ref))
            case LobbyAction.HOUSE:
                await self._tables.change(table.id, lambda now: now.add_house(user.ref))
            case LobbyAction.UNHOUSE:
                await self._tables.change(table.id, lambda now: now.remove_house(user.ref))
            case LobbyAction.START:
                if not await self._rights.may_manage(user.ref, table):
                    return Reply(toast=translator.text(refusals.NOT_YOURS_TO_HOST))
                started = await self._tables.start(table.id, table.opener, event=event)
                return await self._told_where_cards_come(started, user, translator)
            case LobbyAction.CLOSE:
                if not await self._rights.may_manage(user.ref, table):
                    return Reply(toast=translator.text(refusals.NOT_YOURS_TO_CLOSE))
                await self._tables.change(table.id, lambda now: now.call_off())
        return Reply()

    async def _told_where_cards_come(self, table: Table, user: User, translator: Translator) -> Reply:
        """Tell somebody where to look for their cards, if they play; lead them there if that takes a step."""
        if table.seat_of(user.ref) is None:
            return Reply()
        was_reached = await self._reachability.was_ever_reached(user.ref)
        is_open = self._reachability.is_reachable(Only(user.ref, table.room))
        limits = self._ports[user.ref.platform].limits
        if limits.boards:  # they will lie before them
            return Reply(open_private=not was_reached)
        is_private = is_open and (was_reached or limits.ephemeral_answers)
        return Reply(toast=where_cards_come(translator, is_private=is_private), open_private=not was_reached)

    async def _after_game(self, table: Table, user: User, action: EndAction, toast: str | None) -> Reply:
        match action:
            case EndAction.REMATCH:
                await self._tables.rematch(table.id, user)
                return Reply(toast=toast)
            case EndAction.LEADERBOARD:
                public = Translator(table.locale)
                return Reply(public=await self._statistics.leaderboard(table.room.server, public))
