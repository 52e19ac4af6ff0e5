"""Live tables for people from chats: access to them, the links that open them, and their newest state."""

from collections.abc import AsyncGenerator
from dataclasses import replace
from functools import partial

from adapters import port
from bot.delivery.views import LINK
from bot.handlers.event import PressEvent, Services, button
from bot.handlers.pages import replay_address
from bot.model.buttons import WatchTable
from bot.model.messages import Subject
from bot.model.table import Table
from bot.screens.me import privacy_screen
from bot.screens.views import link_screen
from bot.tables.service import NoSuchTableError

MEMBERSHIP_SECONDS = 60.0  # the pause between two checks that a person is still in the chat


@button(WatchTable)
async def watch_table(event: PressEvent, button: WatchTable, services: Services) -> port.Reply:
    """Gives the asker a link that opens the live table for them alone."""
    table = event.table
    is_there = event.room == table.room
    is_in_private = event.chat.private_server(event.user.ref) == event.room.server
    visit = port.Visit(event.user, button.table_id, LINK, is_seen_there=is_there)
    screen = link_screen(services.links.issue(visit), event.translator)

    # A frame of the chat shows only the tables of the room in which it is opened.
    can_be_led = (is_there or is_in_private) and services.links.lead(event.user.ref, table.id)
    live_table = table.id if can_be_led else None

    remove_older = partial(remove_older_links, event.user.ref, services)
    if event.press.on_private_message:  # so that the pressed hand stays
        return port.Reply(ephemeral=screen, live_table=live_table, later=remove_older)

    return port.Reply(secret=screen, live_table=live_table, later=remove_older)


async def remove_older_links(user: port.UserRef, services: Services) -> list[port.Reply]:
    """Removes the messages with a person's older links; returns no further replies."""
    for message in services.links.take_older_messages(user):
        await services.chats[user.platform].delete(message)
    return []


async def check_visit(visit: port.Visit, services: Services) -> None:
    """Checks that a person may see a table, for which they have to be a member of its chat.

    If the chat can't tell, it is enough that they are at the table or were seen in its room, unless the chat
    has reported that they left.

    Raises:
        ProofRefusedError: The person may not see the table.
    """
    user = visit.user.ref
    try:
        table = await services.tables.table(visit.table_id)
    except NoSuchTableError:
        raise port.ProofRefusedError(port.ProofProblem.NO_TABLE) from None

    chat = services.chats[table.room.server.platform]
    if chat.user_platform != user.platform:
        raise port.ProofRefusedError(port.ProofProblem.STRANGER)

    if not _is_open_at(visit, table, chat):
        raise port.ProofRefusedError(port.ProofProblem.NO_TABLE)

    is_member = await chat.is_member(user, table.room)
    if is_member is None:
        was_there = visit.is_seen_there or table.involves(user)
        is_member = was_there and not services.people.has_left(user, table.room)
    if not is_member:
        raise port.ProofRefusedError(port.ProofProblem.STRANGER)


async def link_asked_for(user: port.User, table_id: int, services: Services) -> port.Screen | None:
    """Returns a personal link that was asked for in private; None if the person may not see the table."""
    visit = port.Visit(user, table_id, LINK)
    try:
        await check_visit(visit, services)
    except port.ProofRefusedError:
        return None

    translator = await services.people.translator_for(user.ref)
    return link_screen(services.links.issue(visit), translator)


class BotViews:
    """Implements `Views`."""

    def __init__(self, services: Services, pages: port.Pages) -> None:
        self._services = services
        self._pages = pages
        self.on_ended = services.open_views.on_ended

    async def check(self, visit: port.Visit) -> None:
        """Checks that a person may see a table.

        Raises:
            ProofRefusedError: The person may not see the table.
        """
        await check_visit(visit, self._services)

    async def watch(self, visit: port.Visit, limits: port.Limits) -> AsyncGenerator[port.View]:
        """Yields the newest state after each change of the table, for as long as the person may see it."""
        services = self._services
        presenter = services.presenter
        table_id = visit.table_id
        user = visit.user.ref
        view = services.open_views.open(visit)
        services.links.arrived(user, table_id)
        newest = None
        check_at = services.now() + MEMBERSHIP_SECONDS

        try:
            while not view.is_over:
                version = presenter.version(Subject.of_table(table_id))
                drawn = await presenter.view(table_id, user, limits)
                state = replace(drawn, has_address=bool(services.replays))
                if state != newest:
                    newest = state
                    yield state

                if version is not None and state.hand is not None:
                    presenter.note_seen(table_id, user, version)

                await view.change(max(0.0, check_at - services.now()))
                if view.is_doubtful or services.now() >= check_at:
                    view.is_doubtful = False
                    check_at = services.now() + MEMBERSHIP_SECONDS
                    await self.check(visit)
        except port.ProofRefusedError:
            return
        finally:
            services.open_views.close(view)
            if not services.open_views.is_open(table_id, user):
                services.room_hands.catch_up(table_id, user)

    async def language(self, visit: port.Visit) -> str:
        """Returns the language in which the bot speaks to a person."""
        return (await self._services.people.translator_for(visit.user.ref)).locale

    async def room(self, visit: port.Visit) -> port.RoomRef:
        """Returns the room of the visited table."""
        return (await self._services.tables.table(visit.table_id)).room

    def redraw(self, visit: port.Visit) -> None:
        """Redraws a person's open views of a table, after one of their presses."""
        for view in self._services.open_views.of(visit.user.ref, visit.table_id):
            view.wake()

    async def post(
        self, visit: port.Visit, screen: port.Screen, document: port.Document | None
    ) -> port.Delivery:
        """Posts the public part of an answer to the table's room."""
        room = port.Everyone(await self.room(visit))
        return await self._services.announcements.post_answer(room, screen, document)

    async def rules(self, visit: port.Visit, locale: str) -> port.RuleGuide:
        """Explains the rules of a table."""
        return await self._pages.rules(await self.room(visit), locale)

    async def privacy(self, visit: port.Visit) -> port.Screen:
        """Returns the screen about the data that is kept on people, in the visitor's language."""
        translator = await self._services.people.translator_for(visit.user.ref)
        return privacy_screen(self._services.owner, translator)

    def portrait(self, key: str) -> bytes | None:
        """Returns the picture to which a seat has this key; None if it is no longer shown."""
        return self._services.portraits.with_key(key)

    async def address(self, visit: port.Visit, game: int) -> str:
        """Returns the public address of a finished game to its players, and an empty one to others."""
        services = self._services
        if await services.records.seat_of(visit.user.ref, visit.table_id, game) is None:
            return ""

        finished = await services.records.finished(None, visit.table_id, game)
        return "" if finished is None else await replay_address(*finished, services)

    async def replay(
        self, visit: port.Visit, game: int, locale: str, *, wants_review: bool
    ) -> port.Replay | None:
        """Returns a finished game of the visited table, if the visitor had a seat in it."""
        services = self._services
        user = visit.user.ref
        if await services.records.seat_of(user, visit.table_id, game) is None:
            return None

        server = (await self.room(visit)).server
        return await self._pages.replay(server, visit.table_id, game, locale, user, wants_review=wants_review)


def _is_open_at(visit: port.Visit, table: Table, chat: port.Chat) -> bool:
    """Returns whether a table may be opened at the place that a visit's proof names.

    In their private chat a person can open the tables that they are at.
    """
    user = visit.user.ref
    match visit.place:
        case None:
            return True
        case port.ServerRef():
            return visit.place == table.room.server
        case port.RoomRef():
            is_own = visit.place.server == chat.private_server(user)
            return visit.place == table.room or (is_own and table.involves(user))
