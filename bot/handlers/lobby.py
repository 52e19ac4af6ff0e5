"""Who may put a table away, and end a running game that has no result yet."""

from collections.abc import Mapping
from dataclasses import replace
from enum import Enum, auto
from typing import Any

from adapters.port import Adapter, Command, Limits, Reply, RoomRef, Screen, User, UserRef
from bot.delivery.presenter import Presenter
from bot.locale import Translator
from bot.model.buttons import HostAction, HostGame
from bot.model.table import CHOICES, Phase, RuleSet, RuleSetError, Table, TableRefusal, TableRefusedError
from bot.screens import refusals
from bot.screens.lobby import option_form
from bot.screens.rules import rule_set_cards
from bot.screens.settings import LABELS, PANELS, panel_of, rule_set_problem_text
from bot.screens.table import HOST_PANEL
from bot.screens.words import InvalidArgumentError
from bot.tables.rule_book import RuleBook, with_options
from bot.tables.scheduler import Scheduler
from bot.tables.service import TableService
from engine import Stop, value_text
from engine.runtime import GameSession, SessionFrozenError


class Rights:
    """Knows who has a say over tables besides the players."""

    def __init__(self, chats: Mapping[str, Adapter]) -> None:
        self._chats = chats

    def limits_of(self, user: UserRef) -> Limits:
        """Return what a message of this person's chat holds."""
        return self._chats[user.platform].limits

    def is_own_chat(self, user: UserRef, room: RoomRef) -> bool:
        """Whether this is the person's own chat with the bot."""
        return self._chats[user.platform].private_server(user) == room.server

    def is_answered_alone(self, command: Command) -> bool:
        """Whether the asker alone sees what is for them, where they asked."""
        can_whisper = command.is_private or self._chats[command.user.ref.platform].limits.ephemeral_answers
        return can_whisper or self.is_own_chat(command.user.ref, command.room)

    async def may_manage(self, user: UserRef, table: Table) -> bool:
        """Whether this person opened the table or moderates the room where it stands now."""
        return user == table.opener or await self.may_moderate(user, table.room)

    async def may_moderate(self, user: UserRef, room: RoomRef) -> bool:
        """Whether this person moderates a room."""
        return await self._chats[user.platform].is_moderator(user, room)


# --- Who may put a table away, and end a running game that has no result yet ---


class Wish(Enum):
    """What became of somebody's wish to stop."""

    DONE = auto()
    NOTED = auto()  # others have to agree
    NOT_YOURS = auto()


class Agreement:
    """Stops a running game when everybody agrees who plays, or when a moderator says so.

    Whoever is about to lose must not be able to end the game alone, though they opened the table. Where one
    person plays with house players, that person is everybody.
    """

    def __init__(self, tables: TableService, scheduler: Scheduler, rights: Rights) -> None:
        self._tables = tables
        self._scheduler = scheduler
        self._rights = rights

    async def stop(self, table: Table, user: UserRef) -> Wish:
        """Put a table away as somebody wishes, or note that they would.

        Raises:
            TableRefusedError: The game ended in the meantime.
        """
        session = await self._running(table)
        if session is not None:
            return await self._stop_game(table, session, user)
        if not await self._rights.may_manage(user, table):
            return Wish.NOT_YOURS
        await self._tables.change(table.id, Table.close)
        return Wish.DONE

    async def play_on(self, table: Table, user: UserRef) -> Wish:
        """Drop the question whether to stop, as somebody wishes who plays."""
        if table.seat_of(user) is None:
            return Wish.NOT_YOURS
        await self._tables.change(table.id, lambda now: replace(now, agreed=frozenset()))
        return Wish.DONE

    async def _running(self, table: Table) -> GameSession | None:
        """Return the session of a game that could be played on."""
        if table.phase is not Phase.PLAYING:
            return None
        try:
            return await self._tables.session(table.id)
        except SessionFrozenError:
            return None

    async def _stop_game(self, table: Table, session: GameSession, user: UserRef) -> Wish:
        is_moderator = await self._rights.may_moderate(user, table.room)
        if table.seat_of(user) is None and not is_moderator:
            return Wish.NOT_YOURS

        def change(now: Table) -> Table:
            if now.phase is not Phase.PLAYING or session.outcome is not None:
                raise TableRefusedError(TableRefusal.NOT_PLAYING)
            is_seated = now.seat_of(user) is not None
            asked = replace(now, agreed=now.agreed | {user}) if is_seated else now
            if is_seated and not asked.seats_to_ask(self._scheduler.stand_ins(now, session)):
                return _stopped(asked, Stop.AGREEMENT)
            return _stopped(asked, Stop.MODERATOR) if is_moderator else asked

        changed = await self._tables.change(table.id, change)
        return Wish.NOTED if changed.phase is Phase.PLAYING else Wish.DONE


def _stopped(table: Table, by: Stop) -> Table:
    return replace(table.close(), stopped=by)


# --- What the buttons of a table's host do ---


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


# --- What the buttons of a lobby's options do ---


class TableSettings:
    """Opens panels of settings, and sets them."""

    def __init__(self, tables: TableService, rule_book: RuleBook, presenter: Presenter) -> None:
        self._tables = tables
        self._rule_book = rule_book
        self._presenter = presenter

    async def change(
        self,
        table: Table,
        user: User,
        what: str,
        translator: Translator,
        *,
        is_private: bool,
        shows_forms: bool = False,
    ) -> Reply:
        """Open or set something, as in `ChangeOption`.

        `is_private`: what is open is for the opener alone, on a form if the chat `shows_forms`.

        Raises:
            TableRefusedError: The table does not gather, this person did not open it, or too many sit there.
        """
        setting, sign, _ = what.partition("=")
        if not (what in PANELS or setting in LABELS or not what):
            return Reply(toast=translator.text(refusals.UNREADABLE))
        panel = panel_of(setting) if sign else what or None
        try:
            if sign:
                table = await self._set(table, user, what, None if is_private else panel, translator)
            elif not is_private:
                await self._tables.change(table.id, lambda now: now.open_panel(user.ref, panel))
        except InvalidArgumentError as bad:
            return Reply(toast=str(bad))
        except RuleSetError as bad:
            return Reply(toast=rule_set_problem_text(bad.problem, translator))
        if not is_private:
            return Reply()
        opened = table.open_panel(user.ref, panel)
        if shows_forms:
            cards = rule_set_cards(await self._rule_book.rule_sets(table.room.server), translator)
            return Reply(form=option_form(opened, cards, translator))
        return Reply(private=await self._presenter.panel(opened, translator))

    async def _set(
        self, table: Table, user: User, what: str, panel: str | None, translator: Translator
    ) -> Table:
        """Set something, and leave this panel open for everybody."""
        setting, _, value = what.partition("=")
        chosen: RuleSet | None = None
        if setting == "preset":
            chosen = await self._rule_book.named(table.room.server, value)

        def changed(now: Table) -> Table:
            if chosen is not None:
                now = now.play_by(user.ref, chosen.name, chosen.rules, chosen.house_rules)
            elif setting in CHOICES:
                option: dict[str, Any] = {setting: _choice(setting, value, translator)}
                now = now.play_with(user.ref, replace(now.options, **option))
            else:
                rules = with_options(now.rules, [f"{setting}={value}"])
                now = now.play_by(user.ref, now.preset, rules, now.house_rules)
            return now.open_panel(user.ref, panel)

        return await self._tables.change(table.id, changed)


def _choice(setting: str, text: str, translator: Translator) -> object:
    """Read a choice as it stands on its button."""
    for choice in CHOICES[setting]:
        if value_text(choice) == text:
            return choice
    raise InvalidArgumentError(translator.text(refusals.UNREADABLE))
