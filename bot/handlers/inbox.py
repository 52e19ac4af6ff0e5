"""Receives the events of chats: looks up the table and the person, and calls the handler."""

import time
from collections.abc import Sequence
from dataclasses import replace

import structlog

from adapters import port
from bot.handlers.answers import AnswerEvents
from bot.handlers.chats import ChatEvents
from bot.handlers.event import CommandEvent, PressEvent, RoomPressEvent, Services
from bot.handlers.lobby import brings_back, rejoin, tell_where_cards_come
from bot.handlers.offers import offers_for
from bot.handlers.play import came_back
from bot.handlers.refusing import RefusalLog, answer_to, refusal_reply
from bot.handlers.settings import suggestions
from bot.locale import Translator, gettext_noop
from bot.metrics import ANSWERED, COMMANDS_TYPED, LAST_UPDATE, PRESS_SECONDS, PRESSES, REFUSALS
from bot.model import buttons
from bot.model.messages import Subject, TableSlot
from bot.model.refusal import RefusedError, TableRefusal
from bot.model.table import Phase, Table
from bot.screens import refusals
from bot.screens.text import echo
from bot.tables.service import NoSuchTableError
from engine import nearest
from engine.runtime import SessionFrozenError

log = structlog.get_logger()

UNKNOWN_COMMAND = "unknown"  # the label of unknown commands in the metrics


class BotInbox(AnswerEvents, ChatEvents):
    """Implements `Inbox`; errors become sentences for people, and are never raised into a chat."""

    def __init__(self, services: Services) -> None:
        AnswerEvents.__init__(self, services)
        ChatEvents.__init__(self, services)
        self._refusals = RefusalLog()

    # --- commands ------------------------------------------------------------------------------------------

    async def command(self, command: port.Command) -> port.Reply:
        """Answers a typed command."""
        self._note_update(command.room.server.platform)
        reply = await self.run(command)
        if reply.refusal:
            REFUSALS.labels(reply.refusal).inc()
        return reply

    async def run(self, command: port.Command) -> port.Reply:
        """Runs a command that was typed, or that a button repeats."""
        began = time.perf_counter()
        table = None
        translator = Translator(command.user.locale)

        try:
            await self._meet(command.user, command.room, command.room.server)
            table = await self._services.tables.near(command.user.ref, command.room)
            event = await self._command_event(command, table)
            translator = event.reader
            reply = _in_sight(await self._answer_command(event), event)
            await self._services.people.meet(command.user, command.room.server)  # they may be recorded now
        except Exception as error:
            reply = answer_to(error, "command_failed", command.user, translator, is_typed=True)

        self._log_command(command, table, reply, began)
        return reply

    async def _command_event(self, command: port.Command, table: Table | None) -> CommandEvent:
        """Returns the handler's event for a command, with its translators."""
        services = self._services
        user = command.user
        handler = services.registry.commands.get(command.name)
        own_translator = await services.people.translator_for(user.ref)

        if handler is not None and handler.spec.is_secret:
            translator = own_translator
        else:
            spoken = "" if table is None else table.locale
            translator = await services.people.translator_in(command.room.server, user, spoken)

        chat = services.chats[command.room.server.platform]
        return CommandEvent(user, command.room, command.id, chat, translator, command, table, own_translator)

    async def _answer_command(self, event: CommandEvent) -> port.Reply:
        commands = self._services.registry.commands
        handler = commands.get(event.command.name)
        if handler is None:
            name = event.command.name
            suggestions = " ".join(f"/{name}" for name in nearest(name, commands))
            unknown = gettext_noop("There is no /{name}. Try: {known}")
            return event.toast(unknown, name=echo(name), known=suggestions)

        if handler.people_only and not event.user.is_person:
            return event.toast(refusals.PEOPLE_ONLY)

        return await handler.answer(event, self._services)

    def _log_command(
        self, command: port.Command, table: Table | None, reply: port.Reply, began: float
    ) -> None:
        """Counts a command, and logs it without its arguments."""
        name = command.name if command.name in self._services.registry.commands else UNKNOWN_COMMAND
        COMMANDS_TYPED.labels(name).inc()
        log.debug(
            "command",
            platform=command.room.server.platform,
            command=name,
            table=None if table is None else table.id,
            version=None if table is None else self._services.presenter.version(table.subject),
            outcome=_outcome_of(reply),
            ms=_milliseconds_since(began),
        )

    async def find_person(self, platform: str, handle: str) -> port.User | None:
        """Returns the person with this handle, if they are recorded."""
        try:
            return await self._services.people.find(platform, handle)
        except Exception:
            log.exception("finding_failed", platform=platform)
            return None

    async def redraw_in_new_language(self, room: port.RoomRef) -> None:
        """Redraws the tables of a room, as a new reader needs another language."""
        tables = self._services.tables
        try:
            for table in (await tables.shown_in(room), await tables.announced_in(room)):
                if table is not None:
                    self._services.outbox.mark_dirty(table.subject)
        except Exception:
            log.exception("language_failed", platform=room.server.platform)

    async def suggest(self, typing: port.Typing) -> Sequence[port.Suggestion]:
        """Returns the completions of an argument, the likeliest first; none after an error."""
        people = self._services.people
        try:
            await people.meet(typing.user, typing.room.server)
            translator = await people.translator_for(typing.user.ref)
            return await suggestions(typing, translator, self._services)
        except Exception:
            log.exception("suggesting_failed", platform=typing.room.server.platform)
            return ()

    async def offers(self, user: port.User, text: str) -> Sequence[port.Offer]:
        """Returns what a person can send to any chat; nothing after an error."""
        try:
            await self._services.people.meet(user, None)
            return await offers_for(user, text, self._services)
        except Exception:
            log.exception("offering_failed", platform=user.ref.platform)
            return ()

    # --- buttons -------------------------------------------------------------------------------------------

    async def press(self, press: port.Press) -> port.Reply:
        """Answers a pressed button."""
        began = time.perf_counter()
        self._note_update(press.message.platform)

        button = _read(press.token)
        reply = await self._or_say_unchanged(press, await self._answer(press, button))

        self._log_press(press, button, reply, began)
        return reply

    async def answer(self, press: port.Press) -> port.Reply:
        """Answers a press without counting it, for buttons that repeat another one."""
        return await self._answer(press, _read(press.token))

    async def _answer(self, press: port.Press, button: buttons.Button | None) -> port.Reply:
        translator = Translator(press.user.locale)
        if button is None or type(button) not in self._services.registry.buttons:
            return refusal_reply(
                refusals.UNREADABLE, translator
            )  # it may belong to a feature that this bot does not have

        try:
            await self._meet_presser(press)
            translator = await self._services.people.translator_for(press.user.ref)
            reply = await self._answer_button(press, button, translator)
        except Exception as error:
            reply = answer_to(error, "press_failed", press.user, translator)

        return await self._services.waiting_notices.add_to(reply, press)

    async def _answer_button(
        self, press: port.Press, button: buttons.Button, translator: Translator
    ) -> port.Reply:
        """Handles a press; if the message's table is lost, explains that in its place."""
        try:
            if isinstance(button, buttons.TableButton):
                return await self._press_at_table(press, button, translator)
            return await self._press_in_room(press, button, translator)
        except NoSuchTableError:
            if not press.is_shown or press.view is not None:
                raise
            return await self._explain_lost_table(press, translator)

    async def _press_in_room(
        self, press: port.Press, button: buttons.Button, translator: Translator
    ) -> port.Reply:
        """Handles a press on a button without a table."""
        if button.counts_only_where_shown and not press.is_shown:
            raise RefusedError(refusals.NOT_SHOWN)

        user = press.user
        chat = self._services.chats[press.room.server.platform]
        event = RoomPressEvent(user, press.room, press.id, chat, translator, press)
        return await self._handle(event, button)

    async def _press_at_table(
        self, press: port.Press, button: buttons.TableButton, translator: Translator
    ) -> port.Reply:
        """Handles a press on a table's button.

        The outbox leaves the pressed hand alone until the answer is shown.
        """
        answers = self._services.answers
        slot: TableSlot | None = None
        if press.view is None:
            subject = Subject.of_table(button.table_id)
            slot = await self._services.message_index.slot_in(press.message, subject)

        is_held = slot is not None and await answers.hold_hand(slot, press.message)
        is_hand_shown = False

        try:
            table = await self._table_where_pressed(press, button, slot)
            table = await self._note_presser_at_table(press, table, slot)
            reply = await self._do(press, button, table, slot, translator)
            await self._meet_presser_again(press)
            is_hand_shown = reply.secret is not None
        finally:
            if is_held and not is_hand_shown:  # including when the press was cancelled
                answers.press_answered(press.message, None, None)

        answers.begin(press.message)
        return replace(reply, is_followed=is_held)

    async def _table_where_pressed(
        self, press: port.Press, button: buttons.TableButton, slot: TableSlot | None
    ) -> Table:
        """Returns the table of a button, after checking that the button is valid where it was pressed.

        Raises:
            NoSuchTableError: There is no such table.
            RefusedError: The button cannot be in this message or room.
            SessionFrozenError: The record of the table can't be read.
        """
        table = await self._services.tables.table(button.table_id)
        if not _can_stand_there(button, table, press, slot):
            raise RefusedError(TableRefusal.NO_TABLE)  # must not reveal whether the table exists elsewhere
        if button.counts_only_where_shown and not press.is_shown:
            raise RefusedError(refusals.NOT_SHOWN)
        if table.is_damaged:
            raise SessionFrozenError

        return table

    async def _do(
        self,
        press: port.Press,
        button: buttons.TableButton,
        table: Table,
        slot: TableSlot | None,
        translator: Translator,
    ) -> port.Reply:
        """Handles a button at its table; seats the asker first if the table expects them."""
        services = self._services
        user = press.user
        is_back = table.expects(user.ref) and brings_back(button, table)
        if is_back:
            table = await services.tables.change(table.id, lambda now: rejoin(now, user, press.id))

        chat = services.chats[table.room.server.platform]
        seat = table.seat_of(user.ref)
        event = PressEvent(user, press.room, press.id, chat, translator, press, table, seat, slot)

        if is_back and isinstance(button, buttons.OwnHand):
            return await tell_where_cards_come(table, event, services)
        if not button.counts_in(table.game):
            return event.toast(refusals.PAST_GAME)

        return self._warn_unreachable(event, await self._handle(event, button))

    async def _handle(self, event: RoomPressEvent, button: buttons.Button) -> port.Reply:
        return await self._services.registry.buttons[type(button)].answer(event, button, self._services)

    # --- notices added to answers ---------------------------------------------------------------------------

    async def _or_say_unchanged(self, press: port.Press, reply: port.Reply) -> port.Reply:
        """Adds a notice to an answer that would leave the pressed message as it is."""
        in_place = reply.replacement
        if in_place is None and press.on_private_message:
            in_place = reply.secret
        if in_place is None or press.view is not None:
            return reply

        is_changed = self.is_change(press.message, in_place)
        has_more = replace(reply, replacement=None, secret=None, invitation=None) != port.Reply()
        if is_changed or has_more:
            return reply

        translator = await self._services.people.translator_for(press.user.ref)
        return replace(reply, toast=translator.text(refusals.ALREADY_SO))

    async def _explain_lost_table(self, press: port.Press, translator: Translator) -> port.Reply:
        """Replaces a message of a lost table by an explanation.

        Tables are never deleted, so an unknown id means that an older backup was restored.
        """
        shown_in = translator
        if not press.on_private_message:
            shown_in = await self._services.people.translator_in(press.room.server, press.user.ref)

        reply = refusal_reply(refusals.TABLE_LOST, translator)
        explanation = port.Screen(shown_in.spans(refusals.TABLE_LOST))
        return replace(reply, replacement=explanation, ends_message=True)

    def _warn_unreachable(self, event: PressEvent, reply: port.Reply) -> port.Reply:
        """Warns a player, once, that the bot cannot write to them, unless they have found their cards."""
        is_over = event.table.phase in {Phase.OVER, Phase.CLOSED}
        is_player_at_table = event.press.view is None and event.seat is not None and not is_over
        shows_alone = event.chat.shows_alone_in(event.table.room)
        if not is_player_at_table or not shows_alone:
            return reply

        reachability = self._services.reachability
        if reply.secret is not None and buttons.table_of_hand(reply.secret) is not None:
            if not event.press.on_private_message:
                reachability.note_found_cards(event.user.ref)
            return reply

        if reply.toast is not None or not reachability.take_unnotified(event.user.ref):
            return reply

        button = event.translator.text("My hand")
        return replace(reply, toast=event.translator.text(refusals.CANNOT_WRITE, button=button))

    # --- what is recorded about people ---------------------------------------------------------------------

    async def _meet(self, user: port.User, room: port.RoomRef, server: port.ServerRef | None) -> None:
        """Remembers a person, and marks the place where they wrote as reachable."""
        await self._services.people.meet(user, server)
        reachability = self._services.reachability
        chat = self._services.chats[user.ref.platform]
        reachability.mark_room_reachable(room)
        if user.ref in reachability.closed_people and chat.private_server(user.ref) == room.server:
            await self.became_reachable(user.ref)

    async def _meet_presser(self, press: port.Press) -> None:
        """Remembers who pressed; a press in a view does not show where the bot can write."""
        if press.view is None:
            await self._meet(press.user, press.room, _server_of(press))
        else:
            await self._services.people.meet(press.user, _server_of(press))

    async def _meet_presser_again(self, press: port.Press) -> None:
        """Remembers a person again, as the press may have created their record."""
        await self._services.people.meet(press.user, _server_of(press))

    async def _note_presser_at_table(self, press: port.Press, table: Table, slot: TableSlot | None) -> Table:
        """Notes that a person is looking at a table; returns their seat to a player who was away."""
        if slot is None and press.is_shown and press.view is None:
            await self._adopt(press, table)

        user = press.user
        if table.involves(user.ref):  # no ring for a player who is looking
            self._services.moments.memory(table.id).pressed_at[user.ref] = self._services.now()

        return await came_back(table, user, self._services)

    async def _adopt(self, press: port.Press, table: Table) -> None:
        """Adopts a pressed message of the table, if its delivery was never confirmed."""
        user = press.user.ref
        is_at_table = press.room == table.room and not press.on_private_message
        is_own = self._services.chats[user.platform].private_server(user) == press.room.server
        if is_at_table or (is_own and table.seat_of(user) is not None):
            reader = user if press.on_private_message else None
            await self._services.outbox.adopt(press.message, table.subject, reader)

    # --- what is counted and logged -----------------------------------------------------------------------

    def _note_update(self, platform: str) -> None:
        LAST_UPDATE.labels(platform).set(self._services.now())

    def _log_press(
        self, press: port.Press, button: buttons.Button | None, reply: port.Reply, began: float
    ) -> None:
        """Counts and logs a press, without cards and names."""
        platform = press.message.platform
        if reply.secret is not None:  # other deliveries are not reported
            self.note_pressed(press, began)

        PRESSES.labels(_outcome_of(reply)).inc()
        PRESS_SECONDS.labels(platform, ANSWERED).observe(time.perf_counter() - began)

        name = None if button is None else type(button).__name__
        table_id = button.table_id if isinstance(button, buttons.TableButton) else None
        log.debug(
            "press",
            platform=platform,
            button=name,
            table=table_id,
            version=getattr(button, "version", None),
            outcome=_outcome_of(reply),
            ms=_milliseconds_since(began),
        )

        if reply.refusal:
            REFUSALS.labels(reply.refusal).inc()
            table = None if table_id is None else self._services.tables.known.get(table_id)
            seat = None if table is None else table.seat_of(press.user.ref)
            self._refusals.note(reply.refusal, platform=platform, button=name, table=table_id, seat=seat)


def _read(token: str) -> buttons.Button | None:
    """Returns the button behind a token; None if it can't be read."""
    try:
        return buttons.decode(token)
    except buttons.InvalidTokenError:
        return None


def _in_sight(reply: port.Reply, event: CommandEvent) -> port.Reply:
    """Adds a notice to an answer that is only in private, where a command would else seem to be ignored."""
    limits = event.limits
    is_seen = limits.shows_alone or reply.public is not None or reply.toast
    if not limits.only_answers or is_seen or reply.secret_message is None:
        return reply

    return replace(reply, toast=event.translator.text(refusals.WROTE_IN_PRIVATE))


def _server_of(press: port.Press) -> port.ServerRef | None:
    """Returns the server on which others see the asker's name; None in private."""
    return None if press.on_private_message else press.room.server


def _can_stand_there(
    button: buttons.TableButton, table: Table, press: port.Press, slot: TableSlot | None
) -> bool:
    """Returns whether a button of this table can exist where it was pressed.

    Some chats do not report the topic of an old message. So the table's own messages are accepted anywhere,
    and a private message from the people at the table.
    """
    if press.room == table.room or (slot is not None and slot.user is None):
        return True
    user = press.user.ref
    is_own = table.involves(user) or (slot is not None and slot.user == user)
    return button.works_outside_room and press.on_private_message and is_own


# The outcomes of a press: refused, done with a notice, or done.
REFUSED = "refused"
NOTICED = "noticed"
DONE = "done"
OUTCOMES = (REFUSED, NOTICED, DONE)


def _milliseconds_since(began: float) -> float:
    return round(1000 * (time.perf_counter() - began), 1)


def _outcome_of(reply: port.Reply) -> str:
    if reply.refusal:
        return REFUSED
    return NOTICED if reply.toast else DONE
