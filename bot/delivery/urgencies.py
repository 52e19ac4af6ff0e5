"""How soon each message of a table is to change, and whose hand has to be noticed."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from adapters.port import ChatPort, UserRef
from bot.delivery.scenes import is_dealt
from bot.model.message_slots import MessageKind, MessageSlot, Urgency
from bot.model.table import Phase, Table
from bot.tables.scheduler import Scheduler
from bot.tables.service import TableService
from engine import Done, Seat, State
from engine.runtime import Author, GameSession, SessionFrozenError

QUIET_SECONDS = 60.0
"""Nobody's phone rings again sooner than this, but for the call in the room."""

PRESENT_SECONDS = 20.0
"""Who has pressed so short a time ago is looking; a hand that is posted anew would jump under their thumb."""


@dataclass(frozen=True, slots=True)
class _Turn:
    """When somebody had to act last: whether that is now, in which bout, and when their phone rang for it."""

    is_now: bool
    bout: int | None
    rang_at: float


class Urgencies:
    """Knows who waits to see a change, who only looks on, and who would miss that it is their turn."""

    def __init__(self, tables: TableService, scheduler: Scheduler, ports: Mapping[str, ChatPort]) -> None:
        self._tables = tables
        self._scheduler = scheduler
        self._ports = ports
        self._turns: dict[tuple[int, int], dict[Seat, _Turn]] = {}

    async def of(self, table_id: int) -> Mapping[MessageSlot, Urgency]:
        """Name the messages of a table that change sooner or later than usual; asked after each change.

        The table is asked for while people change it by its buttons, until the first move is made. The hand
        of somebody who may do nothing can wait while a bout runs; between bouts everybody has new cards.
        """
        table = await self._tables.table(table_id)
        asked_for = {MessageSlot(table_id, table.game, MessageKind.TABLE): Urgency.ASKED_FOR}
        if table.phase is Phase.LOBBY:
            return asked_for
        try:
            session = await self._tables.session(table_id)
        except SessionFrozenError:
            return {} if table.panel is None else asked_for
        state = session.state
        if table.phase is not Phase.PLAYING or state is None or not is_dealt(table, session):
            return {}
        onlookers = [player.user for seat, player in enumerate(table.players) if seat not in state.actors]
        can_wait = {
            MessageSlot(table_id, table.game, kind, user): Urgency.CAN_WAIT
            for user in (onlookers if state.bout else ())
            for kind in (MessageKind.HAND, MessageKind.ROOM_HAND)
        }
        rings = {
            MessageSlot(table_id, table.game, MessageKind.HAND, user): Urgency.RINGS
            for user in self._called_to_their_turn(table, session, state)
        }
        is_arranged = table.panel is not None or len(session.entries) == 1
        return {**can_wait, **rings, **(asked_for if is_arranged else {})}

    def evict(self, table_id: int) -> None:
        """Know nothing of a table that nobody needs any more."""
        for key in [key for key in self._turns if key[0] == table_id]:
            del self._turns[key]

    def _called_to_their_turn(self, table: Table, session: GameSession, state: State) -> Collection[UserRef]:
        """Name the people who have to act in a new bout, after they had not to, and may not be looking."""
        key, called = (table.id, table.game), list[UserRef]()
        if key not in self._turns:
            self.evict(table.id)
        turns = self._turns.setdefault(key, {})
        away, now = self._scheduler.stand_ins(table, session), session.changed_at
        for seat, player in enumerate(table.players):
            is_now = seat not in away and _has_to_act(table, state, seat)
            turn = turns.get(seat, _Turn(is_now, state.bouts if is_now else None, now))  # a hand just posted
            is_new = is_now and not turn.is_now and turn.bout != state.bouts
            rings = is_new and now >= turn.rang_at + QUIET_SECONDS and not _is_present(session, seat)
            if rings and player.user is not None and not self._ports[player.user.platform].limits.boards:
                called.append(player.user)
            turns[seat] = _Turn(is_now, state.bouts if is_now else turn.bout, now if rings else turn.rang_at)
        return called


def _has_to_act(table: Table, state: State, seat: Seat) -> bool:
    """Whether the table waits for a seat, and will not soon act for it because it has no choice."""
    is_passed = table.options.auto_done and state.legal_moves(seat) == (Done(),)
    return seat in state.awaited and not is_passed


def _is_present(session: GameSession, seat: Seat) -> bool:
    own = (each for each in reversed(session.entries) if each.seat == seat and each.author is Author.PLAYER)
    newest = next(own, None)
    return newest is not None and newest.at > session.changed_at - PRESENT_SECONDS
