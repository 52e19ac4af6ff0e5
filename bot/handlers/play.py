"""A player's actions in a running game: `/hand`, `/hint`, and the buttons of a hand."""

from dataclasses import dataclass, field, replace

from adapters.port import Reply, RoomRef, Screen, User, UserRef
from bot.delivery.short_lived import OwnTurn
from bot.handlers.event import CommandEvent, PressEvent, RoomEvent, Services, button, command
from bot.locale import Translator, gettext_noop
from bot.model.buttons import (
    AskHint,
    OpenCheating,
    PlayMove,
    QuitAction,
    QuitGame,
    ShowHand,
    SortHand,
    WriteInPrivate,
)
from bot.model.messages import MessageKind, TableSlot
from bot.model.profile import Calling
from bot.model.table import Phase, Table
from bot.screens import refusals
from bot.screens.calls import not_seated_screen
from bot.screens.directions import invitation_screen
from bot.screens.hand import advice_line, hushed_screen
from bot.screens.names import names_of
from bot.screens.refusals import move_refusal
from bot.screens.story import latest_news
from engine import Attacked, Move, Reason, Seat, SeatView, State
from engine.runtime import Accepted, Closed, GameSession, Refused, Result, Stale, Unreadable


@dataclass(frozen=True, slots=True)
class PlayerChoice:
    """A person's choice at one table: the legal moves of their seat at `version`."""

    table: Table
    session: GameSession
    state: State = field(repr=False)
    seat: Seat
    version: int

    @property
    def view(self) -> SeatView:
        """The game as the person's seat sees it."""
        return self.state.view_for(self.seat)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The person's legal moves."""
        return self.state.legal_moves(self.seat)


async def turn_of(user: UserRef, room: RoomRef, services: Services) -> PlayerChoice | None:
    """Returns a person's choice at the first table where they have one; this room's tables come first.

    A table where they can only point at a card comes last.
    """
    may_accuse = None
    for table in await services.tables.tables_of(user, near=room):
        session = await services.tables.session(table.id)
        seat = table.seat_of(user)
        state = session.state
        if state is None or seat is None:
            continue

        choice = PlayerChoice(table, session, state, seat, session.version)
        if state.fair_moves(seat):
            return choice
        if choice.moves and may_accuse is None:
            may_accuse = choice

    return may_accuse


@command("hand", rank=30, summary=gettext_noop("show my cards"), secret=True, people_only=True)
async def hand(event: CommandEvent, services: Services) -> Reply:
    """Shows the asker their cards where they typed the command, or else in their private chat."""
    for table in await services.tables.tables_of(event.user.ref, near=event.room):
        reply = await shown_hand(table, event, services)
        if reply is not None:
            return reply

    return event.toast(refusals.NO_CARDS)


async def shown_hand(table: Table, event: CommandEvent, services: Services) -> Reply | None:
    """Shows the asker their hand at a table in a new message; returns None if they have none there."""
    user = event.user
    cards = await services.hands.open(table.id, user.ref)
    if cards is None:
        return None

    slot = TableSlot(table.id, table.game, MessageKind.HAND, user.ref)
    is_shown = await services.message_index.message(slot) is not None
    if is_shown and not event.command.can_reply_ephemerally:
        await services.room_hands.move_to_private(slot)
        return Reply()

    return Reply(secret=cards, invitation=invitation_screen(user, table.room, event.translator))


@command("hint", rank=40, summary=gettext_noop("a hint for my move"), secret=True, people_only=True)
async def hint(event: CommandEvent, services: Services) -> Reply:
    """Advises the asker at the first table where they have a choice; this room's tables come first."""
    turn = await turn_of(event.user.ref, event.room, services)
    if turn is None or not turn.state.fair_moves(turn.seat):
        return event.toast(refusals.NOTHING_TO_ADVISE)

    table = turn.table
    if not table.options.hints:
        return event.toast(refusals.NO_HINTS)

    move = await services.house_players.advise(turn.session, turn.seat)
    services.short_lived.belongs_to(event.id, OwnTurn(table.id, event.user.ref, turn.version))
    return Reply(
        secret=Screen(body=advice_line(move, turn.view.public, event.translator)),
        invitation=invitation_screen(event.user, table.room, event.translator),
    )


@button(PlayMove)
async def play_move(event: PressEvent, button: PlayMove, services: Services) -> Reply:
    """Plays a move; shows the asker their newest hand even if the move is refused."""
    if event.seat is None:
        return event.toast(refusals.NOT_SEATED)

    result = await services.tables.submit(event.table.id, event.seat, button.move, button.version)
    reply = await answer_result(result, event.table, event.seat, event, services)
    return await _with_hand(reply, event, services)


async def _with_hand(reply: Reply, event: PressEvent, services: Services) -> Reply:
    """Adds the asker's newest hand to an answer.

    If notices are messages that stay, they would push the hand out of sight, so its first line shows the
    notice instead.
    """
    table = await services.tables.table(event.table.id)
    is_own_hand = event.press.on_private_message and table.phase is Phase.PLAYING
    notice = reply.toast if event.limits.notices_stay and is_own_hand else None
    hand = await services.hands.open(table.id, event.user.ref, limits=event.limits, notice=notice or "")
    toast = reply.toast if notice is None or hand is None else None
    return replace(reply, secret=hand, toast=toast)


async def answer_result(
    result: Result, table: Table, seat: Seat, event: RoomEvent, services: Services
) -> Reply:
    """Answers with the reason why a submitted move was not played; empty if it was."""
    match result:
        case Accepted():
            return Reply()
        case Stale():
            return event.toast(refusals.STALE)
        case Refused(reason):
            return await _move_refused(reason, table, seat, event, services)
        case Unreadable():
            return event.toast(refusals.UNREADABLE)
        case Closed():
            return event.toast(refusals.OVER)


async def _move_refused(
    reason: Reason, table: Table, seat: Seat, event: RoomEvent, services: Services
) -> Reply:
    """Answers with the reason for a refused move; names a player whose throw-in came first."""
    session = await services.tables.session(table.id)
    if reason not in {Reason.TOO_EARLY, Reason.NOTHING_TO_DECLINE}:
        return move_refused(reason, event.translator)

    match latest_news(session.events):
        case [Attacked() as thrown, *_] if thrown.seat != seat:
            name = names_of(table.players)[thrown.seat]
            return event.toast(refusals.QUICKER, name=name)

    return move_refused(reason, event.translator)


async def came_back(table: Table, user: User, services: Services) -> Table:
    """Returns a seat to its player if a bot held it; resets their absence in a running game."""
    seat = table.seat_of(user.ref)
    if seat is None or table.phase is not Phase.PLAYING:
        return table

    if table.players[seat].has_left:
        table = await services.tables.change(
            table.id, lambda now: now.with_presence(user.ref, has_left=False)
        )

    services.scheduler.came_back(table, await services.tables.session(table.id), seat)
    return table


@button(ShowHand)
async def show_hand(event: PressEvent, button: ShowHand, services: Services) -> Reply:
    """Shows a page of the asker's hand."""
    return await _hand(event, button.page, services)


@button(SortHand)
async def sort_hand(event: PressEvent, button: SortHand, services: Services) -> Reply:
    """Sorts the asker's hands in this order from now on, and shows the hand."""
    await services.people.choose(event.user.ref, hand_order=button.order.value)
    return await _hand(event, 0, services)


@button(OpenCheating)
async def open_cheating(event: PressEvent, button: OpenCheating, services: Services) -> Reply:
    """Shows the asker their moves against the rules, or the cards at which they can point."""
    if event.seat is None:
        return event.toast(refusals.NOT_SEATED)

    table = event.table
    cards = await services.hands.open(table.id, event.user.ref, limits=event.limits, cheating=button)
    return Reply(secret=cards) if cards else event.toast(refusals.NOT_DEALT)


@button(AskHint)
async def ask_hint(event: PressEvent, _: AskHint, services: Services) -> Reply:
    """Shows the asker their hand with advice in it."""
    table = event.table
    user = event.user.ref
    seat = event.seat
    session = await services.tables.session(table.id)

    if seat is None:
        return event.toast(refusals.NOT_SEATED)

    reply = Reply()
    state = session.state
    if not table.options.hints:
        reply = event.toast(refusals.NO_HINTS)
    elif state is None or not state.fair_moves(seat):
        reply = event.toast(refusals.NOTHING_TO_ADVISE)
    else:
        version = session.version_for(seat)
        move = await services.house_players.advise(session, seat)
        services.hands.advise(table, user, version, move)

    return await _with_hand(reply, event, services)


@button(WriteInPrivate)
async def write_in_private(event: PressEvent, button: WriteInPrivate, services: Services) -> Reply:
    """Switches private messages to the asker on or off."""
    calling = Calling.AT_ONCE if button.wanted else Calling.NEVER
    await services.people.choose(event.user.ref, calling=calling.value)
    if button.wanted:
        table = event.table
        await services.room_hands.close(TableSlot(table.id, table.game, MessageKind.HAND, event.user.ref))
        services.outbox.mark_dirty(table.subject)
        return event.toast(refusals.WRITES_AGAIN)

    return Reply(secret=hushed_screen(event.table, event.translator))


@button(QuitGame)
async def quit_game(event: PressEvent, button: QuitGame, services: Services) -> Reply:
    """Asks whether the asker wants to leave the game, or does as they chose: stays, leaves or resigns."""
    table = event.table
    user = event.user
    reply = Reply()

    match button.action:
        case QuitAction.ASK:
            return await _hand(event, None, services)
        case QuitAction.STAY:
            return await _hand(event, 0, services)
        case QuitAction.LEAVE:
            await services.tables.change(table.id, lambda now: now.with_presence(user.ref, has_left=True))
        case QuitAction.RESIGN:
            result = await services.tables.resign(table.id, user)
            if isinstance(result, Refused):
                reply = move_refused(result.reason, event.translator)

    return await _with_hand(reply, event, services)


def move_refused(reason: Reason, translator: Translator) -> Reply:
    """Answers with the reason why a move is not legal."""
    return Reply(toast=move_refusal(reason, translator), refusal=reason.name.lower())


async def _hand(event: PressEvent, page: int | None, services: Services) -> Reply:
    """Shows a page of the asker's hand, or asks (page None) whether they want to leave."""
    if event.seat is None:
        limits = event.limits
        offers_call = limits.folds_buttons and limits.can_call and event.table.phase is Phase.PLAYING
        if offers_call:
            return Reply(secret=not_seated_screen(event.table, event.translator))
        return event.toast(refusals.NOT_SEATED)

    cards = await services.hands.open(event.table.id, event.user.ref, page=page, limits=event.limits)
    return Reply(secret=cards) if cards else event.toast(refusals.NOT_DEALT)
