"""What the buttons of a table's host do."""

from dataclasses import replace

from adapters.port import Reply, Screen, User
from bot.delivery.presenter import Presenter
from bot.handlers.agreement import Agreement, Wish
from bot.handlers.rights import Rights
from bot.locale import Translator
from bot.model.button_data import HostAction, HostGame
from bot.model.table import Table
from bot.screens import refusals
from bot.screens.host import HOST_PANEL
from bot.tables.scheduler import Scheduler
from bot.tables.service import TableService


class HostPanel:
    """Lets the opener of a table, and the admins of its chat, take care of a running game.

    That a game is stopped is for those who play, whoever opened it.
    """

    def __init__(
        self,
        tables: TableService,
        scheduler: Scheduler,
        rights: Rights,
        agreement: Agreement,
        presenter: Presenter,
    ) -> None:
        self._tables = tables
        self._scheduler = scheduler
        self._rights = rights
        self._agreement = agreement
        self._presenter = presenter

    async def act(
        self, table: Table, user: User, token: HostGame, translator: Translator, *, is_private: bool
    ) -> Reply:
        """Do what a button says, if it is for this person to do; `is_private`: they see the buttons alone.

        Raises:
            TableRefusedError: No game is running.
        """
        if token.action is HostAction.PLAY_ON:
            return _told(await self._agreement.play_on(table, user.ref), translator)
        is_host = await self._rights.may_manage(user.ref, table)
        if token.action is HostAction.STOP:
            reply = _told(await self._agreement.stop(table, user.ref), translator)
        elif not is_host:
            return Reply(toast=translator.text(refusals.NOT_YOURS_TO_HOST))
        elif await self._do(table, token, is_private=is_private):
            reply = Reply()
        else:
            reply = Reply(toast=translator.text(refusals.NOBODY_CALLED))
        if not (is_private and is_host):
            return reply
        return replace(reply, private=await self._panel(table, token, translator))

    async def _panel(self, table: Table, token: HostGame, translator: Translator) -> Screen:
        panel = None if token.action is HostAction.CLOSE else HOST_PANEL
        return await self._presenter.panel(
            replace(await self._tables.table(table.id), panel=panel), translator
        )

    async def _do(self, table: Table, token: HostGame, *, is_private: bool) -> bool:
        """Do what a host may; False if nobody was called for whom it could be done."""
        panel = None if token.action is HostAction.CLOSE else HOST_PANEL
        match token.action:
            case HostAction.OPEN | HostAction.CLOSE if is_private:
                table.host(panel)  # refused where no game runs
            case HostAction.OPEN | HostAction.CLOSE:
                await self._tables.change(table.id, lambda now: now.host(panel))
            case HostAction.PAUSE:
                await self._tables.change(table.id, lambda now: now.pause(is_paused=True))
            case HostAction.RESUME:
                await self._tables.change(table.id, lambda now: now.pause(is_paused=False))
                self._scheduler.served_again(table.id)
            case HostAction.SKIP:
                return await self._scheduler.move_for_called(table.id)
            case HostAction.REPLACE:
                return await self._replace(table, token.seat)
        return True

    async def _replace(self, table: Table, seat: int | None) -> bool:
        """Give a seat to a house player, if its person was called and has not come."""
        called = await self._scheduler.called(table, await self._tables.session(table.id))
        replaced = table.players[seat].user if seat in called and seat is not None else None
        if replaced is None:
            return False
        await self._tables.change(table.id, lambda now: now.hand_over(replaced))
        return True


def _told(wish: Wish, translator: Translator) -> Reply:
    match wish:
        case Wish.NOT_YOURS:
            return Reply(toast=translator.text(refusals.NOT_YOURS_TO_STOP))
        case Wish.NOTED:
            return Reply(toast=translator.text(refusals.OTHERS_HAVE_TO_AGREE))
        case Wish.DONE:
            return Reply()
