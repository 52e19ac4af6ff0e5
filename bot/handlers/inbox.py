"""The road in: each event of a chat is looked up once, handed to its handler, and answered."""

import time
from collections.abc import Awaitable, Sequence
from dataclasses import replace

import structlog
from cachetools import LRUCache

from adapters import port
from bot.cache import LIMITS
from bot.delivery.messages import digest_of
from bot.handlers.chats import ChatEvents
from bot.handlers.event import CommandEvent, PressEvent, RoomPressEvent, Services
from bot.handlers.lobby import brings_back, rejoin, tell_where_cards_come
from bot.handlers.notices import NoticeLog
from bot.handlers.play import came_back
from bot.handlers.refusing import RefusalLog, answer_or_refusal, apology, refused
from bot.handlers.settings import suggestions
from bot.locale import Translator, gettext_noop
from bot.metrics import ANSWERED, COMMANDS_TYPED, LAST_UPDATE, PRESS_SECONDS, PRESSES, REFUSALS, SHOWN
from bot.model import buttons
from bot.model.messages import OnlyInRoom, Subject, TableSlot
from bot.model.table import Phase, Table
from bot.screens import refusals
from bot.screens.text import echo
from bot.tables.service import NoSuchTableError
from engine import nearest
from engine.runtime import SessionFrozenError

log = structlog.get_logger()

UNKNOWN_COMMAND = "unknown"  # the name under which unknown commands are counted


class BotInbox(ChatEvents):
    """Implements `Inbox`. Every error becomes a sentence; nothing is raised into a chat."""

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._pressed_at = LRUCache[str, float](LIMITS.known)
        self._refusals = RefusalLog()
        self._shown = NoticeLog()  # the newest screen of each message that an answer showed, as a digest

    # --- commands ------------------------------------------------------------------------------------------

    async def command(self, command: port.Command) -> port.Reply:
        """Answers a typed command."""
        self._note_update(command.room.server.platform)
        reply = await self.run(command)
        if reply.refusal:
            REFUSALS.labels(reply.refusal).inc()
        return reply

    async def run(self, command: port.Command) -> port.Reply:
        """Runs a command that was typed, or is behind a button."""
        name = command.name if command.name in self._services.registry.commands else UNKNOWN_COMMAND
        COMMANDS_TYPED.labels(name).inc()
        began = time.perf_counter()
        outcome = "failed"
        table = None
        server = command.room.server

        try:
            await self._meet(command.user, command.room, server)
            table = await self._services.tables.near(command.user.ref, command.room)
            reply = await self._answer_command(command, table)
            await self._services.people.meet(command.user, server)
            outcome = _outcome_of(reply)
        except Exception as error:
            return apology("command_failed", command.user, error)
        finally:
            table_id = None if table is None else table.id
            version = None if table is None else self._services.presenter.version(table.subject)
            log.debug(
                "command",
                platform=server.platform,
                command=name,
                table=table_id,
                version=version,
                outcome=outcome,
                ms=round(1000 * (time.perf_counter() - began), 1),
            )

        return reply

    async def _answer_command(self, command: port.Command, table: Table | None) -> port.Reply:
        services = self._services
        user = command.user
        room = command.room
        commands = services.registry.commands
        handler = commands.get(command.name)
        own_translator = await services.people.translator_for(user.ref)
        if handler is not None and handler.spec.is_secret:
            translator = own_translator
        else:
            spoken = "" if table is None else table.locale
            translator = await services.people.translator_in(room.server, user, spoken)

        chat = services.chats[user.ref.platform]
        event = CommandEvent(user, room, command.id, chat, translator, command, table, own_translator)
        if handler is None:
            known = " ".join(f"/{name}" for name in nearest(command.name, commands))
            unknown = gettext_noop("There is no /{name}. Try: {known}")
            return event.toast(unknown, name=echo(command.name), known=known)

        if handler.people_only and not user.is_person:
            return event.toast(refusals.PEOPLE_ONLY)

        return await answer_or_refusal(handler.answer(event, services), event.reader, is_typed=True)

    async def find_person(self, platform: str, handle: str) -> port.User | None:
        """Returns the person with this handle, as far as they were ever put on record."""
        try:
            return await self._services.people.find(platform, handle)
        except Exception:
            log.exception("finding_failed", platform=platform)
            return None

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

    # --- buttons -------------------------------------------------------------------------------------------

    async def press(self, press: port.Press) -> port.Reply:
        """Answers a pressed button."""
        platform = press.message.platform
        began = time.perf_counter()
        self._note_update(platform)
        reply = await self._or_say_unchanged(press, await self.answer(press))
        if press.id and reply.secret is not None:  # else nobody reports when it is shown
            self._pressed_at[press.id] = began

        PRESSES.labels(_outcome_of(reply)).inc()
        PRESS_SECONDS.labels(platform, ANSWERED).observe(time.perf_counter() - began)
        if reply.refusal:
            self._note_refused(press, reply.refusal)

        return reply

    async def answer(self, press: port.Press) -> port.Reply:
        """Answers a pressed button without counting it: another one may stand for it."""
        try:
            button = buttons.decode(press.token)
        except buttons.InvalidTokenError:
            log.debug("token_unreadable", platform=press.message.platform)
            return refused(refusals.UNREADABLE, Translator(press.user.locale))

        if type(button) not in self._services.registry.buttons:  # of a feature that this bot doesn't have
            return refused(refusals.UNREADABLE, Translator(press.user.locale))

        try:
            if isinstance(button, buttons.TableButton):
                reply = await self._press_at_table(press, button)
            else:
                reply = await self._press_in_room(press, button)

            return await self._services.waiting_notices.add_to(reply, press)
        except Exception as error:
            return apology("press_failed", press.user, error)

    async def _or_say_unchanged(self, press: port.Press, reply: port.Reply) -> port.Reply:
        """Adds a notice to an answer that would leave the pressed message as it is."""
        in_place = reply.replacement
        if in_place is None and press.on_private_message:
            in_place = reply.secret
        if in_place is None or press.view is not None:
            return reply

        is_changed = self._is_change(press.message, in_place)
        has_more = replace(reply, replacement=None, secret=None, invitation=None) != port.Reply()
        if is_changed or has_more:
            return reply

        translator = await self._services.people.translator_for(press.user.ref)
        return replace(reply, toast=translator.text(refusals.ALREADY_SO))

    def _is_change(self, ref: port.MessageRef, screen: port.Screen) -> bool:
        """Notes what an answer shows in a message; returns whether that may be new there.

        Hands are left to the outbox, which edits them as well.
        """
        is_hand = buttons.table_of_hand(screen) is not None
        return is_hand or self._shown.is_new(ref, digest_of(screen))

    async def _press_in_room(self, press: port.Press, button: buttons.Button) -> port.Reply:
        """Answers a press on a button that belongs to no table."""
        services = self._services
        user = press.user
        await self._meet_at(press)
        translator = await services.people.translator_for(user.ref)
        chat = services.chats[user.ref.platform]
        if button.counts_only_where_shown and not press.is_shown:  # it is gone, or was never there
            return refused(refusals.NOT_SHOWN, translator)

        event = RoomPressEvent(user, press.room, press.id, chat, translator, press)
        answer = services.registry.buttons[type(button)].answer(event, button, services)
        explained = self._or_explain_lost_table(answer, press, translator)
        return await answer_or_refusal(explained, translator)

    async def _press_at_table(self, press: port.Press, button: buttons.TableButton) -> port.Reply:
        """Answers a press on a table's button; the outbox leaves the pressed hand to this answer."""
        people = self._services.people
        answers = self._services.answers
        began = time.perf_counter()
        slot: TableSlot | None = None
        is_expected = False
        shown: port.Reply | None = None

        try:
            await self._meet_at(press)
            if press.view is None:
                subject = Subject.of_table(button.table_id)
                slot = await self._services.message_index.slot_in(press.message, subject)

            is_expected = slot is not None and await answers.expect(slot, press.message)
            translator = await people.translator_for(press.user.ref)
            answer = self._answer_press(press, button, slot, translator)
            explained = self._or_explain_lost_table(answer, press, translator)
            reply = await answer_or_refusal(explained, translator)

            server = None if press.on_private_message else press.room.server
            await people.meet(press.user, server)  # a new player is on record now

            shown = replace(reply, is_followed=is_expected)
            answers.begin(press.message)
            return shown
        finally:
            outcome = "failed" if shown is None else _outcome_of(shown)
            shows_hand = shown is not None and shown.secret is not None
            if is_expected and not shows_hand:  # also when the press was cancelled
                answers.press_answered(press.message, None, None)

            log.debug(
                "press",
                platform=press.message.platform,
                button=type(button).__name__,
                table=button.table_id,
                version=getattr(button, "version", None),
                outcome=outcome,
                ms=round(1000 * (time.perf_counter() - began), 1),
            )

    async def _answer_press(
        self, press: port.Press, button: buttons.TableButton, slot: TableSlot | None, translator: Translator
    ) -> port.Reply:
        """Does a table's button; nothing happens when that cannot be done."""
        services = self._services
        user = press.user
        table = await services.tables.table(button.table_id)
        if not _can_stand_there(button, table, press, slot):
            return refused(refusals.NO_TABLE, translator)  # nor does it tell whether there is one elsewhere
        if button.counts_only_where_shown and not press.is_shown:
            return refused(refusals.NOT_SHOWN, translator)
        if table.is_damaged:
            raise SessionFrozenError

        if slot is None and press.is_shown and press.view is None:
            await self._adopt(press, table)

        if table.knows(user.ref):  # no ring for a player who is looking
            services.moments.memory(table.id).pressed_at[user.ref] = services.now()

        table = await came_back(table, user, services)  # any press brings a player back
        is_back = table.expects(user.ref) and brings_back(button, table)
        if is_back:
            table = await services.tables.change(table.id, lambda now: rejoin(now, user, press.id))

        chat = services.chats[user.ref.platform]
        seat = table.seat_of(user.ref)
        event = PressEvent(user, press.room, press.id, chat, translator, press, table, seat, slot)

        if is_back and isinstance(button, buttons.OwnHand):
            return await tell_where_cards_come(table, event, services)
        if not button.counts_in(table.game):
            return event.toast(refusals.PAST_GAME)

        reply = await services.registry.buttons[type(button)].answer(event, button, services)
        return self._warn_unreachable(event, reply)

    async def _or_explain_lost_table(
        self, answer: Awaitable[port.Reply], press: port.Press, translator: Translator
    ) -> port.Reply:
        """Returns an answer; where its table is lost, explains that in place of the message and its buttons.

        No table is ever deleted, so one that a message of the bot shows, and nobody knows, is of a time after
        the backup to which the database was set back.

        Raises:
            NoSuchTableError: There is no such table, and the message shows none.
        """
        try:
            return await answer
        except NoSuchTableError:
            if not press.is_shown or press.view is not None:
                raise

        shown_in = translator
        if not press.on_private_message:
            shown_in = await self._services.people.translator_in(press.room.server, press.user.ref)

        reply = refused(refusals.TABLE_LOST, translator)
        explanation = port.Screen(shown_in.spans(refusals.TABLE_LOST))
        return replace(reply, replacement=explanation, ends_message=True)

    async def _adopt(self, press: port.Press, table: Table) -> None:
        """Takes in a message of the table's whose sending was never answered."""
        user = press.user.ref
        is_at_table = press.room == table.room and not press.on_private_message
        is_own = self._services.chats[user.platform].private_server(user) == press.room.server
        if is_at_table or (is_own and table.seat_of(user) is not None):
            reader = user if press.on_private_message else None
            await self._services.outbox.adopt(press.message, table.subject, reader)

    def _warn_unreachable(self, event: PressEvent, reply: port.Reply) -> port.Reply:
        """Warns a player, once, that nothing can be written to them, unless they have found their cards."""
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

    # --- counts of updates and refusals ------------------------------------------------------------------

    def _note_update(self, platform: str) -> None:
        LAST_UPDATE.labels(platform).set(self._services.now())

    def _note_refused(self, press: port.Press, reason: str) -> None:
        """Counts and logs a refused press by its reason, table and seat, without cards and names."""
        REFUSALS.labels(reason).inc()
        try:
            button = buttons.decode(press.token)
        except buttons.InvalidTokenError:
            button = None

        table_id = button.table_id if isinstance(button, buttons.TableButton) else None
        table = None if table_id is None else self._services.tables.known.get(table_id)
        seat = None if table is None else table.seat_of(press.user.ref)
        pressed = None if button is None else type(button).__name__
        self._refusals.note(
            reason, platform=press.message.platform, button=pressed, table=table_id, seat=seat
        )

    # --- deliveries of answers ------------------------------------------------------------------------------

    def press_answered(self, press: port.Press, reply: port.Reply, delivery: port.Delivery) -> None:
        """Records the pressed message's new screen, or the hand that was shown beside it.

        A view keeps itself up to date.
        """
        pressed_at = self._pressed_at.pop(press.id, None)
        if pressed_at is not None and isinstance(delivery, port.Delivered):
            PRESS_SECONDS.labels(press.message.platform, SHOWN).observe(time.perf_counter() - pressed_at)
        if press.view is not None:
            return

        was_expected = self._services.answers.press_answered(press.message, reply.secret, delivery)
        self._note_answer(press, reply.secret, delivery)
        button = buttons.decode(press.token)
        if button.may_wait_in_private:
            if delivery is port.WAITS_IN_PRIVATE and reply.secret is not None:
                self._services.links.wait_in_private(press.user.ref, reply.secret)
            elif isinstance(delivery, port.Delivered) and isinstance(button, buttons.WatchTable):
                self._services.links.show(press.user.ref, delivery.ref)
            return

        match button:
            case buttons.AfterGame() | buttons.ChangeLobby():  # a hand if they have dealt a game
                self._follow(press, reply.secret, delivery)
            case buttons.TableButton(table_id):
                if button.works_outside_room and not was_expected:
                    self._follow(press, reply.secret, delivery, table_id)
            case _:
                self._follow(press, reply.secret, delivery)

    def private_chat_answered(
        self, event: port.PrivateChatOpened, reply: port.Reply, delivery: port.Delivery
    ) -> None:
        """Records the message with a personal link, so that the next one takes its place."""
        is_link = reply.secret is not None and self._services.links.is_shown_on(reply.secret)
        if is_link and isinstance(delivery, port.Delivered):
            self._services.links.show(event.user.ref, delivery.ref)

    def command_answered(self, command: port.Command, reply: port.Reply, delivery: port.Delivery) -> None:
        """Updates the hand or the review that was shown where it was asked for from now on."""
        self._note_answer(command, reply.secret, delivery)
        self._follow(command, reply.secret, delivery)

    async def public_answered(
        self, event: port.Command | port.Press, reply: port.Reply, delivery: port.Delivery
    ) -> None:
        """Records the message of a slot that an answer has posted to the room."""
        if reply.public is not None and isinstance(event, port.Command) and event.answer_key:
            self._services.answers.command_answered(event.answer_key, reply.public, delivery)

    async def ephemeral_answered(
        self, event: port.Command | port.Press, reply: port.Reply, delivery: port.Delivery
    ) -> None:
        """Records what changes later: a question or a panel, or the message with a personal link."""
        self._note_answer(event, reply.ephemeral, delivery)
        if not isinstance(event, port.Press) or reply.ephemeral is None:
            return

        is_link = self._services.links.is_shown_on(reply.ephemeral)  # else it is a notice beside the link
        if is_link and isinstance(delivery, port.Delivered):
            self._services.links.show(event.user.ref, delivery.ref)

        try:
            await self._services.answers.answered_beside(event.id, reply.ephemeral, delivery)
        except Exception:
            log.exception("answer_not_noted", platform=event.room.server.platform)

    def _note_answer(
        self, event: port.Press | port.Command, shown: port.Screen | None, delivery: port.Delivery
    ) -> None:
        """Notes what an answer showed, and removes it beside a table once it is no longer of use."""
        if shown is not None and isinstance(delivery, port.Delivered):
            self._is_change(delivery.ref, shown)
            self._services.short_lived.follow(event.id, shown, delivery.ref)

    def _follow(
        self,
        event: port.Press | port.Command,
        shown: port.Screen | None,
        delivery: port.Delivery,
        table_id: int | None = None,
    ) -> None:
        """Keeps a review or a hand that was shown in the room up to date there, where the chat can edit it.

        Without a table it is a hand if its buttons say so. The private chat has messages of its own.
        """
        services = self._services
        user = event.user.ref
        chat = services.chats[user.platform]
        room = event.room
        can_be_edited = chat.limits.ephemeral_seconds > 0 and chat.private_server(user) != room.server
        if shown is None or not isinstance(delivery, port.Delivered) or not can_be_edited:
            return

        review = services.reviews.asked_by(event.id)
        if review is not None:
            services.reviews.follow(review, OnlyInRoom(user, room))
            services.room_hands.review_opened(review, shown, delivery.ref)
            return

        if table_id is None:
            table_id = buttons.table_of_hand(shown)

        if table_id is not None:
            services.reachability.note_found_cards(user)
            services.room_hands.opened(table_id, user, shown, delivery.ref)

    async def _meet_at(self, press: port.Press) -> None:
        """Remembers a person who presses; a view tells nothing of where the bot can write."""
        server = None if press.on_private_message else press.room.server
        if press.view is None:
            await self._meet(press.user, press.room, server)
        else:
            await self._services.people.meet(press.user, server)

    async def _meet(self, user: port.User, room: port.RoomRef, server: port.ServerRef | None) -> None:
        """Remembers a person, and that the bot can write where they speak, be it their private chat."""
        await self._services.people.meet(user, server)
        reachability = self._services.reachability
        chat = self._services.chats[user.ref.platform]
        reachability.mark_room_reachable(room)
        if user.ref in reachability.closed_people and chat.private_server(user.ref) == room.server:
            await self.became_reachable(user.ref)


def _can_stand_there(
    button: buttons.TableButton, table: Table, press: port.Press, slot: TableSlot | None
) -> bool:
    """Returns whether a button of this table can stand where it was pressed.

    Some chats don't report the topic of an old message, so the table's own messages count, too, and a
    hand of an earlier game for its players.
    """
    if press.room == table.room or (slot is not None and slot.user is None):
        return True
    user = press.user.ref
    is_own = table.knows(user) or (slot is not None and slot.user == user)
    return button.works_outside_room and press.on_private_message and is_own


# The outcomes of a press: nothing was done, something was and is said in a notice, or something was.
REFUSED = "refused"
NOTICED = "noticed"
DONE = "done"
OUTCOMES = (REFUSED, NOTICED, DONE)


def _outcome_of(reply: port.Reply) -> str:
    if reply.refusal:
        return REFUSED
    return NOTICED if reply.toast else DONE
