"""`/stop`, and the host's buttons for a running game or a table."""

from collections.abc import Hashable
from contextlib import suppress
from dataclasses import replace

from adapters.port import Reply, Screen
from bot.handlers.event import CommandEvent, PressEvent, RoomEvent, RoomPressEvent, Services, button, command
from bot.handlers.lobby import (
    PANEL_SECONDS,
    is_beside_table,
    opens_secretly,
    others_to_ask_about,
    remove_pressed,
)
from bot.locale import Translator, gettext_noop
from bot.model.buttons import HostAction, HostGame, MoveTable
from bot.model.messages import MessageKind, TableSlot
from bot.model.refusal import RefusedError, TableRefusal
from bot.model.table import Phase, Table
from bot.screens import refusals
from bot.screens.host import (
    HOST_PANEL,
    PLAYS_ON,
    close_question_screen,
    plays_on_screen,
    still_to_agree,
    stop_question,
    stop_question_screen,
    stop_wish,
    stop_wish_screen,
    stopped_line,
)
from bot.screens.names import names_of
from bot.screens.text import plain_text
from engine import Seat, Stop
from engine.runtime import GameSession, SessionFrozenError


@command("stop", rank=200, summary=gettext_noop("close the table here, or agree to stop its game"))
async def stop(event: CommandEvent, services: Services) -> Reply:
    """Closes the table, or records that the asker agrees to end its game."""
    table = event.table
    if table is None:
        return event.toast(refusals.NO_RUNNING_TABLE)

    question = await _question_before_closing(table, event, services)
    if question is not None:
        return Reply(ephemeral=question)

    after = await _wish_to_stop(table, event, services)
    if after is None and table.phase is not Phase.PLAYING:
        return event.toast(refusals.NOT_YOURS_TO_CLOSE)

    if after is not None and after.phase is Phase.CLOSED:
        return _tell_end(after, event, services)

    return await _answer_to_stop(table, after, event, services)


def _tell_end(table: Table, event: CommandEvent, services: Services) -> Reply:
    """Tells the asker that /stop has closed a table; not after a game if the table's message is in sight."""
    if table.stopped is None:
        return event.toast(gettext_noop("The table is closed."))

    slot = TableSlot(table.id, table.game, MessageKind.TABLE)
    if services.outbox.is_in_sight(slot, table.room):
        return Reply()

    is_alone = len(table.people()) == 1
    return Reply(toast=plain_text(stopped_line(table.stopped, event.reader, is_alone=is_alone)))


async def _question_before_closing(table: Table, event: RoomEvent, services: Services) -> Screen | None:
    """Asks a host or an admin for confirmation, once, before closing a lobby with other people in it."""
    gathers = table.phase in {Phase.LOBBY, Phase.ANNOUNCED}
    if not gathers or not await event.may_manage(table):
        return None

    others = others_to_ask_about(table, event, services)
    if not others:
        return None

    message = await services.answers.existing_message(TableSlot(table.id, table.game, MessageKind.TABLE))
    return close_question_screen(table, others, message, event.reader)


async def _wish_to_stop(table: Table, event: RoomEvent, services: Services) -> Table | None:
    """Closes a table, or records a vote to end its game, which ends by agreement or by a moderator.

    Players about to lose must not be able to end the game alone, even if they opened the table or moderate
    the chat. So a moderator who plays needs the others' agreement like any player; a person who plays only
    with house players needs nobody's. Returns the changed table; None if the asker has no say.

    Raises:
        RefusedError: The game ended in the meantime.
    """
    session: GameSession | None = None
    if table.phase is Phase.PLAYING:
        with suppress(SessionFrozenError):  # a frozen game cannot continue, so it is closed like a lobby
            session = await services.tables.session(table.id)

    if session is None:
        if not await event.may_manage(table):
            return None
        return await services.tables.change(table.id, Table.close)

    user = event.user.ref
    gone = await services.presence.gone(set(table.people()) - table.agreed - {user}, table.room)
    is_moderator = await event.may_moderate(table.room)
    if table.seat_of(user) is None and not is_moderator:
        return None

    def change(now: Table) -> Table:
        if now.phase is not Phase.PLAYING or session.outcome is not None:
            raise RefusedError(TableRefusal.NOT_PLAYING)

        is_seated = now.seat_of(user) is not None
        after = replace(now, agreed=now.agreed | {user}) if is_seated else now
        away = services.scheduler.schedule(now, session.newest).away
        is_agreed = all(after.players[seat].user in gone for seat in after.seats_to_ask(away))
        if is_seated and is_agreed:
            return replace(after.close(), stopped=Stop.AGREEMENT)

        return after if is_seated else replace(after.close(), stopped=Stop.MODERATOR)

    return await services.tables.change(table.id, change)


async def _answer_to_stop(before: Table, wished: Table | None, event: RoomEvent, services: Services) -> Reply:
    """Answers the wish to stop a game, if the table's message does not do so itself.

    The first question of a game reposts the table at the end of its room, with the others' names, so that
    their phones ring, and with the buttons to answer. Later wishes only edit the table.
    """
    if wished is None:
        return event.toast(refusals.NOT_YOURS_TO_STOP)
    if wished.phase is not Phase.PLAYING:
        return Reply()

    session = await services.tables.session(wished.id)
    is_posted = not (before.agreed or event.chat.limits.boards)
    if is_posted and _is_new_question(wished, session.version, event, services):
        services.outbox.renew(TableSlot(wished.id, wished.game, MessageKind.TABLE))
        return Reply()

    is_new = wished.agreed != before.agreed
    if event.limits.boards and is_new:  # the table itself shows the question, with its buttons
        return Reply()

    moment = await services.moments.newest(wished.id)
    gone = frozenset[int]() if moment.scene is None else moment.scene.gone
    away = services.scheduler.schedule(wished, session.newest).away | gone
    if isinstance(event, PressEvent):  # the asker has just agreed
        return Reply(toast=plain_text(still_to_agree(wished, away, event.translator)))

    own_wish = stop_wish(wished, away, event.reader)
    message = moment.message(MessageKind.TABLE, wished.game)
    is_alone = isinstance(event, CommandEvent) and event.is_answered_secretly
    if is_alone:
        return Reply(ephemeral=stop_wish_screen(wished, own_wish, message, event.reader))

    question = stop_question(wished, away, event.translator)
    return Reply(ephemeral=stop_question_screen(wished, question, message, event.translator))


def _is_new_question(table: Table, version: int, event: RoomEvent, services: Services) -> bool:
    """Records a wish to stop; returns whether to ask the others.

    They are asked once at each version, and again after another player's "Play on", but not if the asker
    takes back the wish and repeats it. From the second question of a game on, each counts as a post, so that
    nobody can make phones ring too often.
    """
    is_first = services.notices.is_new(("first stop", table.id, table.game))
    is_new = services.notices.is_new(_about_stop(table), version)
    return is_first or (is_new and event.refuse_post(services) is None)


def _about_stop(table: Table) -> Hashable:
    return ("stop", table.id, table.game)


@button(MoveTable)
async def move_table(event: RoomPressEvent, button: MoveTable, services: Services) -> Reply:
    """Moves a running game to this room, for its host, if the game's room is gone."""
    table = await services.tables.table(button.table)
    if table.opener != event.user.ref or table.room.server != event.room.server:
        return event.toast(refusals.NOT_YOURS_TO_HOST)
    if services.reachability.is_served(table.room):
        raise RefusedError(TableRefusal.NO_TABLE)

    await services.tables.move(table.id, event.room)
    await services.outbox.leave_room(table.subject)
    services.scheduler.served_again(table.id)
    return Reply(replacement=Screen(event.translator.spans("The table is here now.")))


@button(HostGame)
async def host_game(event: PressEvent, button: HostGame, services: Services) -> Reply:
    """Performs the actions of a running game's host, which admins of the chat may use as well.

    Stopping the game is up to its players, not to the host.
    """
    table = event.table
    action = button.action
    if action is HostAction.PLAY_ON:
        return await _play_on(event, services)

    is_secret = await opens_secretly(event)
    is_host = await event.may_manage(table)
    panel = None if action is HostAction.CLOSE else HOST_PANEL

    if action is HostAction.STOP:
        wished = await _wish_to_stop(table, event, services)
        reply = await _answer_to_stop(table, wished, event, services)
        if not event.press.on_private_message:  # the question in the room, not the panel
            return reply
        if wished is not None and event.limits.boards:  # the table itself shows what follows
            is_beside = is_beside_table(event)
            return replace(reply, later=remove_pressed(event, services).later) if is_beside else reply
    elif not is_host:
        return event.toast(refusals.NOT_YOURS_TO_HOST)
    elif action in {HostAction.OPEN, HostAction.CLOSE}:
        if is_secret:
            table.host(panel)  # raises if no game is running
        else:
            until = services.now() + PANEL_SECONDS
            await services.tables.change(table.id, lambda now: now.host(panel, until))

        reply = Reply()
    else:
        refusal = await _take_care(event, button, services)
        reply = Reply() if refusal is None else event.toast(refusal)

    if not (is_secret and is_host):
        return reply
    if panel is None and is_beside_table(event):
        return remove_pressed(event, services)

    with_panel = replace(await services.tables.table(table.id), panel=panel)
    secret = await services.presenter.panel(with_panel, event.user.ref, event.translator, event.limits)
    return replace(reply, secret=secret)


async def _play_on(event: PressEvent, services: Services) -> Reply:
    """Withdraws all wishes to stop a game; if it was not the asker's own, tells the room who plays on."""
    table = event.table
    if event.seat is None:
        return event.toast(refusals.NOT_YOURS_TO_STOP)
    if not table.agreed:
        return event.toast(PLAYS_ON)

    await services.tables.change(table.id, lambda now: replace(now, agreed=frozenset()))
    is_own_wish = event.user.ref in table.agreed
    if not is_own_wish:
        services.notices.forget(_about_stop(table))  # the next wish is a new question

    if is_own_wish or event.limits.boards or event.refuse_post(services) is not None:
        return event.toast(PLAYS_ON)

    name = names_of(table.players)[event.seat]
    return Reply(public=plays_on_screen(name, Translator(table.locale)))


async def _take_care(event: PressEvent, button: HostGame, services: Services) -> str | None:
    """Performs a host's action; returns why there is no player whom it may be applied to, None if done."""
    table = event.table
    tables = services.tables
    scheduler = services.scheduler
    match button.action:
        case HostAction.PAUSE:
            await tables.change(table.id, lambda now: now.pause(is_paused=True))
        case HostAction.RESUME:
            await tables.change(table.id, lambda now: now.pause(is_paused=False))
            scheduler.served_again(table.id)
        case HostAction.SKIP:
            if not await scheduler.move_for_called(table.id, besides=event.seat):
                called = await scheduler.called_seats(*await tables.with_session(table.id))
                return refusals.OWN_MOVE if event.seat in called else refusals.NOBODY_CALLED
        case HostAction.REPLACE:
            return await _replace(event, button.seat, services)

    return None


async def _replace(event: PressEvent, seat: Seat | None, services: Services) -> str | None:
    """Has a bot play for another player who was called or has left; returns why not, None if done."""
    table = event.table
    replaced = None if seat is None or seat >= len(table.players) else table.players[seat].user
    if seat is None or replaced is None:
        return refusals.NOBODY_CALLED
    if seat == event.seat:
        return refusals.OWN_MOVE

    called = await services.scheduler.called_seats(table, await services.tables.session(table.id))
    if seat not in called and not await services.presence.is_gone(replaced, table.room):
        return refusals.NOBODY_CALLED

    await services.tables.change(table.id, lambda now: now.with_presence(replaced, has_left=True))
    return None
