"""The bot's side of the port: what a chat reports goes in, what people see comes out."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

import structlog
from cachetools import LRUCache

from adapters.port import (
    Adapter,
    Command,
    Delivered,
    Delivery,
    Only,
    Press,
    PrivateChatOpened,
    Reply,
    RoomRef,
    Screen,
    Suggestion,
    Typing,
    User,
    UserRef,
    code_location,
)
from bot.delivery.outbox import Outbox
from bot.delivery.reachability import Reachability
from bot.handlers.commands import BY_NAME, CommandDispatcher
from bot.handlers.play import ButtonHandler
from bot.handlers.settings import Suggestions
from bot.handlers.statistics import COUNTING
from bot.locale import Translator
from bot.metrics import COMMANDS_TYPED, PRESSES, UNREADABLE
from bot.model.buttons import (
    AfterGame,
    ChangeLobby,
    CommandInPlace,
    ExplainRanking,
    InvalidTokenError,
    LobbyAction,
    OpenTable,
    ShowHand,
    TableButton,
    TypedCommand,
    decode,
    table_of_hand,
)
from bot.model.messages import MessageKind, MessageSlot, OnlyInRoom
from bot.model.table import Phase, Table
from bot.people import People, Servers
from bot.screens import refusals
from bot.screens.help import help_screen
from bot.screens.table import welcome_screen
from bot.storage import DatabaseDamagedError, DatabaseUnreachableError
from bot.tables.reviews import Reviews
from bot.tables.scheduler import Scheduler
from bot.tables.service import TableService
from engine import Stop

log = structlog.get_logger()

MOST_KINDS_SKIPPED = 1000
"""Kinds of unreadable events that are counted for the log."""


class BotInbox:
    """Implements `Inbox`. Whatever goes wrong becomes a sentence; nothing is raised into a chat."""

    def __init__(
        self,
        *,
        tables: TableService,
        buttons: ButtonHandler,
        commands: CommandDispatcher,
        suggestions: Suggestions,
        outbox: Outbox,
        scheduler: Scheduler,
        reachability: Reachability,
        reviews: Reviews,
        people: People,
        servers: Servers,
        chats: Mapping[str, Adapter],
    ) -> None:
        self._tables = tables
        self._buttons = buttons
        self._commands = commands
        self._suggestions = suggestions
        self._outbox = outbox
        self._scheduler = scheduler
        self._reachability = reachability
        self._reviews = reviews
        self._people = people
        self._servers = servers
        self._chats = chats
        self._skipped = LRUCache[tuple[str, str, str], int](MOST_KINDS_SKIPPED)
        reachability.subscribe(self._go_on_in)

    async def command(self, command: Command) -> Reply:
        """Answer a typed command."""
        name = command.name if command.name in BY_NAME else "unknown"
        COMMANDS_TYPED.labels(name).inc()
        began, outcome = time.perf_counter(), "failed"
        try:
            await self._people.meet(command.user, command.room.server)
            await self._heard_from(command.user, command.room)
            reply = await self._commands.reply(command)
            await self._people.meet(command.user, command.room.server)
            outcome = _outcome_of(reply)
        except Exception as error:
            log.exception("command_failed", platform=command.room.server.platform)
            return _apology(command.user, error)
        finally:
            platform = command.room.server.platform
            log.debug("command", platform=platform, command=name, outcome=outcome, ms=_ms_since(began))
        return reply

    async def suggest(self, typing: Typing) -> Sequence[Suggestion]:
        """Say what somebody could be typing; nothing if that is not known at the moment."""
        try:
            return await self._suggestions.suggest(typing)
        except Exception:
            log.exception("suggesting_failed", platform=typing.room.server.platform)
            return ()

    async def press(self, press: Press) -> Reply:
        """Answer a pressed button."""
        try:
            token = decode(press.token)
        except InvalidTokenError:
            log.debug("token_unreadable", platform=press.message.platform)
            return Reply(toast=Translator(press.user.locale).text(refusals.UNREADABLE))
        if isinstance(token, OpenTable):
            return await self._deal_here(press)
        if isinstance(token, TypedCommand):
            return await self._typed(press, token)
        if isinstance(token, ExplainRanking):
            words = COUNTING, token.period
            return await self.command(Command(press.user, press.room, "leaderboard", words, id=press.id))
        if not isinstance(token, TableButton):
            raise TypeError(token)
        server = None if press.is_private else press.room.server
        is_expected = is_answered = False
        began, outcome = time.perf_counter(), "failed"
        try:
            await self._people.meet(press.user, server)
            await self._heard_from(press.user, press.room)
            is_expected = await self._outbox.expect_answer(token.table_id, press.message)
            reply = await self._buttons.reply(press, token)
            await self._people.meet(press.user, server)  # who has joined is on record now
            is_answered = reply.private is not None
            self._outbox.begin_answer(press.message)
            outcome = _outcome_of(reply)
        except Exception as error:
            log.exception("press_failed", platform=press.message.platform)
            reply = _apology(press.user, error)
        finally:
            if is_expected and not is_answered:  # also when the press was cancelled
                self._outbox.note_answer(press.message, None, None)
            log.debug(
                "press",
                platform=press.message.platform,
                button=type(token).__name__,
                table=token.table_id,
                version=getattr(token, "version", None),
                outcome=outcome,
                ms=_ms_since(began),
            )
        PRESSES.labels(_outcome_of(reply)).inc()
        return reply

    async def _typed(self, press: Press, token: TypedCommand) -> Reply:
        """Do what typing this would do."""
        name, *words = token.text.split()
        is_alone = press.is_private or isinstance(token, CommandInPlace)
        command = Command(press.user, press.room, name, tuple(words), id=press.id, is_private=is_alone)
        reply = await self.command(command)
        return (
            replace(reply, personal=None, replacement=reply.personal)
            if isinstance(token, CommandInPlace)
            else reply
        )

    async def _deal_here(self, press: Press) -> Reply:
        """Open a table; where one stands already, let the presser join it, or see their cards.

        Who sits there and presses so far up has lost sight of the table.
        """
        try:
            table = await self._tables.in_room(press.room)
        except Exception as error:
            log.exception("press_failed", platform=press.message.platform)
            return _apology(press.user, error)
        if table is None:
            return await self.command(Command(press.user, press.room, "durak", id=press.id))
        if table.seat_of(press.user.ref) is not None:
            slot = MessageSlot(table.id, table.game, MessageKind.TABLE)
            if self._outbox.renew_if_out_of_sight(slot, table.room):
                return Reply()
        is_gathering = table.phase is Phase.LOBBY
        token = ChangeLobby(table.id, table.game, LobbyAction.JOIN) if is_gathering else ShowHand(table.id)
        return await self.press(replace(press, token=str(token)))

    async def added(self, room: RoomRef, locale: str) -> Reply:
        """Say hello where the bot is new."""
        try:
            if await self._tables.in_room(room) is not None:
                return Reply()
            choices = await self._servers.choices(room.server)
        except Exception:
            log.exception("welcome_failed", platform=room.server.platform)
            return Reply()
        return Reply(public=welcome_screen(Translator(choices.locale or locale)))

    async def private_chat_opened(self, event: PrivateChatOpened) -> Reply:
        """Show somebody who opened the private chat their cards."""
        try:
            was_known = await self._reachability.was_ever_reached(event.user.ref)
            before = self._tables.games_of(event.user.ref)
            running = await self._tables.tables_of(event.user.ref)
            # That they came from a room proves nothing: anybody can say so.
            await self._people.remember(event.user)
            await self._reachability.mark_person_reachable(event.user.ref)
            translator = await self._people.translator_for(event.user.ref)
            for table in running:
                hand = MessageSlot(table.id, table.game, MessageKind.HAND, event.user.ref)
                await self._outbox.renew_in_private(hand)
            # A game that has begun meanwhile sends its first hand by itself.
            has_cards = bool(running or self._tables.games_of(event.user.ref) - before)
        except Exception as error:
            log.exception("private_chat_failed", platform=event.user.ref.platform)
            return _apology(event.user, error)
        reviews = self._reviews.of(event.user.ref)
        for review in reviews:  # what could not be sent comes now
            self._outbox.mark_dirty(review.table_id)
        if has_cards or reviews:
            return Reply()
        if event.room is not None:
            return Reply(toast=translator.text(refusals.NO_CARDS if was_known else refusals.READY))
        return Reply(private=help_screen(translator))

    def press_answered(self, press: Press, reply: Reply, delivery: Delivery) -> None:
        """Take note of what the pressed message shows now, or of the hand that was shown beside it."""
        was_expected = self._outbox.note_answer(press.message, reply.private, delivery)
        token = decode(press.token)
        if not isinstance(token, TableButton):
            self._follow_answer(press, reply.private, delivery)
        elif isinstance(token, AfterGame):
            self._follow_review(press, reply.private, delivery)
        elif token.is_private and not was_expected:
            self._follow_hand(token.table_id, press, reply.private, delivery)

    def command_answered(self, command: Command, reply: Reply, delivery: Delivery) -> None:
        """Let the hand or the review follow the game that was shown where somebody asked for it."""
        self._follow_answer(command, reply.private, delivery)
        self._follow_review(command, reply.private, delivery)

    def public_answered(self, command: Command, reply: Reply, delivery: Delivery) -> None:
        """Take note of the table that the answer to a command shows."""
        if reply.public is not None:
            self._outbox.answered_with(command.answer_key, reply.public, delivery)

    def _follow_review(self, event: Press | Command, answer: Screen | None, delivery: Delivery) -> None:
        """Show the review in the answer to its question, where that can change."""
        review = self._reviews.asked_by(event.id)
        if review is None or answer is None or not isinstance(delivery, Delivered):
            return
        if self._can_open_hand_for(event):
            self._reviews.follow(review, OnlyInRoom(event.user.ref, event.room))
            self._outbox.shown_in_room(review, answer, delivery.ref)

    def _follow_answer(self, event: Press | Command, answer: Screen | None, delivery: Delivery) -> None:
        """Follow the hand that is the answer, if it is one."""
        table_id = None if answer is None else table_of_hand(answer)
        if table_id is not None:
            self._follow_hand(table_id, event, answer, delivery)

    def _follow_hand(
        self, table_id: int, event: Press | Command, hand: Screen | None, delivery: Delivery
    ) -> None:
        """Let a hand that was shown in the room follow the game there, where a chat can change it."""
        if hand is not None and isinstance(delivery, Delivered) and self._can_open_hand_for(event):
            self._outbox.opened_in_room(table_id, event.user.ref, hand, delivery.ref)

    def event_skipped(self, platform: str, event: str, error: Exception) -> None:
        """Count an event that cannot be read; of the same kind and error, log the 1st, 10th, 100th and so on.

        What the event held is not logged, only where it could not be read.
        """
        UNREADABLE.labels(platform).inc()
        kind = event.rstrip("0123456789 ")
        where = code_location(error)
        seen = self._skipped[platform, kind, where] = self._skipped.get((platform, kind, where), 0) + 1
        if seen == 10 ** (len(str(seen)) - 1):
            log.error(
                "event_skipped",
                platform=platform,
                event_id=event,
                error=type(error).__name__,
                where=where,
                times=seen,
            )

    async def room_moved(self, old: RoomRef, new: RoomRef) -> None:
        """Let a room go on under its new id."""
        try:
            with self._servers.changing(old.server, new.server):
                await self._tables.moved(old, new)
        except Exception:
            log.exception("move_failed", platform=old.server.platform)

    async def became_unreachable(self, where: RoomRef | UserRef) -> None:
        """Let the tables of a room rest until the bot is back, or leave a person's hands unsent."""
        try:
            match where:
                case RoomRef():
                    self._reachability.mark_room_unreachable(where)
                case UserRef():
                    await self._reachability.mark_person_unreachable(where)
        except Exception:
            log.exception("removal_failed")

    async def room_deleted(self, room: RoomRef) -> None:
        """Close the tables of a room that is gone; those who hold cards are told in private."""
        await self.became_unreachable(room)
        for table_id in self._tables.tables_in(room):
            try:
                await self._tables.change(table_id, lambda table: _without_room(table, room))
            except Exception:
                log.exception("closing_failed", table=table_id)

    async def became_reachable(self, where: RoomRef | UserRef) -> None:
        """Go on with the tables of a room, or send a person's hands."""
        try:
            match where:
                case RoomRef():
                    self._reachability.mark_room_reachable(where)
                case UserRef():
                    await self._reachability.mark_person_reachable(where)
                    for table in await self._tables.tables_of(where):
                        self._outbox.mark_dirty(table.id)
        except Exception:
            log.exception("return_failed")

    def _go_on_in(self, room: RoomRef) -> None:
        for table_id in self._tables.tables_in(room):
            self._scheduler.served_again(table_id)
            self._outbox.mark_dirty(table_id)

    def _can_open_hand_for(self, event: Press | Command) -> bool:
        """Whether a hand that was asked for there follows the game: not where it is in the private chat."""
        chat, user = self._chats[event.user.ref.platform], event.user.ref
        return chat.limits.ephemeral_seconds > 0 and chat.private_server(user) != event.room.server

    async def _heard_from(self, user: User, room: RoomRef) -> None:
        """Remember that the bot can write where people speak, be it their private chat."""
        self._reachability.mark_room_reachable(room)
        is_private = self._chats[user.ref.platform].private_server(user.ref) == room.server
        if is_private and not self._reachability.is_reachable(Only(user.ref, room)):
            await self.became_reachable(user.ref)


def _without_room(table: Table, deleted: RoomRef) -> Table:
    """Return the table closed, if it stood in the deleted room or in a topic of it."""
    if table.phase is Phase.CLOSED or (deleted.topic and table.room != deleted):
        return table
    return replace(table.close(), stopped=Stop.DELETION if table.phase is Phase.PLAYING else None)


def _outcome_of(reply: Reply) -> str:
    return "noticed" if reply.toast else "done"


def _ms_since(began: float) -> float:
    return round(1000 * (time.perf_counter() - began), 1)


def _apology(user: User, error: Exception) -> Reply:
    match error:
        case DatabaseDamagedError():
            why = refusals.DAMAGED
        case DatabaseUnreachableError():
            why = refusals.NOT_WRITTEN
        case _:
            why = refusals.BROKEN
    return Reply(toast=Translator(user.locale).text(why))
