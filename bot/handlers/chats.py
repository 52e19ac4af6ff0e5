"""Handles chats that appear, move, close and disappear."""

from contextlib import suppress
from dataclasses import replace
from functools import partial

import structlog
from cachetools import LRUCache, TTLCache

from adapters import port
from bot.cache import LIMITS
from bot.handlers.event import Services
from bot.handlers.fools_mark import check_badges
from bot.handlers.play import came_back
from bot.handlers.refusing import apology
from bot.handlers.views import link_asked_for, remove_older_links
from bot.metrics import UNREADABLE
from bot.model.messages import MessageKind, Subject, TableSlot
from bot.model.table import Phase, Table
from bot.screens import refusals
from bot.screens.help import help_screen, welcome_screen
from engine import Stop
from engine.runtime import SessionFrozenError

log = structlog.get_logger()

HELLO_SECONDS = 60.0  # how long the greeting of a room is not repeated


class ChatEvents:
    """Handles the events of `Inbox` that concern a whole chat."""

    def __init__(self, services: Services) -> None:
        self._services = services
        services.reachability.on_opened.append(self._resume_in)
        self._skipped = LRUCache[tuple[str, str, str], int](LIMITS.known)
        self._greeted = TTLCache[port.RoomRef, bool](LIMITS.known, HELLO_SECONDS, timer=services.now)

    async def greet(self, room: port.RoomRef, locale: str) -> port.Reply:
        """Greets a room that is new to the bot, once, even if the chat reports that in several ways."""
        whole_room = port.RoomRef(room.server, room.id)
        if whole_room in self._greeted:
            return port.Reply()

        self._greeted[whole_room] = True
        try:
            if await self._services.tables.in_room(room) is not None:
                return port.Reply()
            choices = await self._services.servers.choices(room.server)
        except Exception:
            log.exception("welcome_failed", platform=room.server.platform)
            return port.Reply()

        translator = self._services.people.translator(choices.locale or locale, room.server.platform)
        return port.Reply(public=welcome_screen(translator))

    async def table_in(self, room: port.RoomRef) -> int | None:
        """Returns the table that a room shows, for a frame opened there; None if there is none."""
        try:
            table = await self._services.tables.shown_in(room)
        except Exception:
            log.exception("table_not_found", platform=room.server.platform)
            return None

        return None if table is None else table.id

    async def private_chat_opened(self, event: port.PrivateChatOpened) -> port.Reply:
        """Moves a person's cards to the private chat they opened, or shows what else they came for."""
        services = self._services
        user = event.user.ref
        try:
            was_known = (await services.people.profile(user)).reachable
            before = services.tables.known.games_of(user)
            running = await services.tables.tables_of(user)

            # `event.room` proves nothing, as anybody can send it.
            await services.people.remember(event.user)
            await services.reachability.mark_person_reachable(user)
            translator = await services.people.translator_for(user)

            for table in running:
                hand = TableSlot(table.id, table.game, MessageKind.HAND, user)
                await services.room_hands.move_to_private(hand)
                with suppress(SessionFrozenError):
                    await came_back(table, event.user, services)

            has_promised = await services.calls.promise_waiting_call(user)

            # A game that has begun since then sends its first hand by itself.
            has_cards = bool(running or services.tables.known.games_of(user) - before)
        except Exception as error:
            return apology(error, "private_chat_failed", event.user)

        reviews = services.reviews.of(user)
        for review in reviews:  # send those that could not be sent before
            services.outbox.mark_dirty(review.subject)

        link = None
        if event.table_id is not None:
            link = await link_asked_for(event.user, event.table_id, services)
        if link is None:
            link = services.links.take_waiting(user)
        if link is not None:
            return port.Reply(secret=link, later=partial(remove_older_links, user, services))
        if has_cards or reviews or has_promised:  # they get what they came for
            return port.Reply()

        if event.room is not None:
            sentence = refusals.NO_CARDS if was_known else await self._greeting_from(event.room, user)
            return port.Reply(toast=translator.text(sentence))

        limits = services.chats[user.platform].limits
        commands = services.registry.specs
        return port.Reply(secret=help_screen(translator, limits, commands=commands, is_private=True))

    async def _greeting_from(self, room: port.RoomRef, user: port.UserRef) -> str:
        """Returns the sentence for a newcomer from a room, depending on whether they play there."""
        table = await self._services.tables.in_room(room)
        is_player = table is not None and (table.seat_of(user) is not None or table.expects(user))
        return refusals.READY if is_player else refusals.READY_TO_ASK

    def event_skipped(self, platform: str, event: str, error: Exception) -> None:
        """Counts an unreadable event; logs the 1st, 10th, 100th and so on of each kind and error.

        The log has the place in the code, and not the content of the event.
        """
        UNREADABLE.labels(platform).inc()

        kind = event.rstrip("0123456789 ")
        where = port.code_location(error)
        times = self._skipped.get((platform, kind, where), 0) + 1
        self._skipped[platform, kind, where] = times

        is_power_of_ten = times == 10 ** (len(str(times)) - 1)
        if is_power_of_ten:
            log.error(
                "event_skipped",
                platform=platform,
                event_id=event,
                error=type(error).__name__,
                where=where,
                times=times,
            )

    async def room_moved(self, old: port.RoomRef, new: port.RoomRef) -> bool:
        """Moves a room to its new id; returns False if that failed."""
        try:
            with self._services.servers.changing(old.server, new.server):
                await self._services.tables.move_room(old, new)
        except Exception:
            log.exception("move_failed", platform=old.server.platform)
            return False

        for follow in self._services.hooks.room_moved:
            follow(old, new)

        for message in self._services.message_index.seen_in(old):  # waiting messages go to the new id
            self._services.outbox.mark_dirty(message.slot.subject)

        return True

    async def bot_joined(self, outside: port.ServerRef, room: port.RoomRef) -> bool:
        """Continues the leaderboard of an outside chat in a room; False if that failed or has to wait."""
        try:
            with self._services.servers.changing(outside, room.server):
                return await self._services.tables.join(outside, room)
        except Exception:
            log.exception("joining_failed", platform=room.server.platform)
            return False

    async def became_unreachable(self, where: port.RoomRef | port.UserRef) -> None:
        """Suspends the tables of a room, or a person's private messages, until the bot can write again."""
        try:
            if isinstance(where, port.RoomRef):
                self._services.reachability.mark_room_unreachable(where)
                self._services.open_views.doubt(self._services.tables.tables_in(where))
            else:
                await self._services.reachability.mark_person_unreachable(where)
        except Exception:
            log.exception("removal_failed")

    async def member_left(self, event: port.MemberLeft) -> None:
        """Ends a person's views of a room's tables after they left, and frees their seats in lobbies."""
        services = self._services
        services.people.leave(event.user, event.room.server)
        left = services.tables.tables_in(event.room)
        services.open_views.end(lambda visit: visit.user.ref == event.user and visit.table_id in left)

        for table_id in left:
            try:
                if (await services.tables.table(table_id)).involves(event.user):
                    await services.tables.change(table_id, lambda now: now.without(event.user))
            except Exception:
                log.exception("leaving_failed", table=table_id)

        for member_left in services.hooks.member_left:
            try:
                await member_left(event.user, event.room)
            except Exception:
                log.exception("leaving_failed", platform=event.room.server.platform)

    async def room_deleted(self, room: port.RoomRef) -> None:
        """Closes the tables of a deleted room; players with cards are notified in private."""

        def closed(table: Table) -> Table:
            if table.phase is Phase.CLOSED or (room.topic and table.room != room):  # another topic's
                return table
            stopped = Stop.DELETION if table.phase is Phase.PLAYING else None
            return replace(table.close(), stopped=stopped)

        await self.became_unreachable(room)
        for table_id in self._services.tables.tables_in(room):
            try:
                await self._services.tables.change(table_id, closed)
            except Exception:
                log.exception("closing_failed", table=table_id)

    async def became_reachable(self, where: port.RoomRef | port.UserRef) -> None:
        """Resumes the tables of a room, or sends a person their hands."""
        try:
            if isinstance(where, port.RoomRef):
                self._services.reachability.mark_room_reachable(where)
                return

            await self._services.reachability.mark_person_reachable(where)
            for table in await self._services.tables.tables_of(where):
                self._services.outbox.mark_dirty(table.subject)

            await self._services.calls.promise_waiting_call(where)
        except Exception:
            log.exception("return_failed")

    async def rights_changed(self, server: port.ServerRef) -> None:
        """Schedules a check of the fool's mark, which needs a right."""
        try:
            await check_badges(server, self._services)
        except Exception:
            log.exception("check_failed", platform=server.platform)

    def _resume_in(self, room: port.RoomRef) -> None:
        for table_id in self._services.tables.tables_in(room):
            self._services.scheduler.served_again(table_id)
            self._services.outbox.mark_dirty(Subject.of_table(table_id))
