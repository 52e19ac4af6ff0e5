"""Removes answers such as panels and questions once they are no longer useful."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import structlog
from cachetools import LRUCache

from adapters.port import CallbackButton, ChatPort, Everyone, MessageRef, RoomRef, Screen, UserRef
from bot.cache import LIMITS
from bot.delivery.outbox import Outbox
from bot.delivery.queue import ONLOOKER_WAITS
from bot.model.buttons import Button, ChangeLobby, ChangeOption, HostAction, HostGame, decode
from bot.model.table import Phase, Table
from bot.tables.service import TableService

log = structlog.get_logger()

# Buttons outside the table's own message, useful only while they can change something.
Passing = ChangeLobby | ChangeOption | HostGame
Buttons = Sequence[Passing]


@dataclass(frozen=True, slots=True)
class OwnTurn:
    """A player's turn at a version of a game; an answer without buttons is useful until it is over."""

    table_id: int
    user: UserRef
    version: int


class ShortLived:
    """Follows answers and removes them; only in memory, so those from before a restart stay."""

    def __init__(self, chats: Mapping[str, ChatPort], tables: TableService, outbox: Outbox) -> None:
        self._chats = chats
        self._tables = tables
        self._outbox = outbox
        self._turns = LRUCache[str, OwnTurn](LIMITS.known)
        self._followed = LRUCache[MessageRef, Buttons | OwnTurn](LIMITS.known)
        self._by_table = LRUCache[int, set[MessageRef]](LIMITS.known)

    def belongs_to(self, event: str, turn: OwnTurn) -> None:
        """Notes that the answer to an event is useful only during this turn of a player."""
        self._turns[event] = turn

    def follow(self, event: str, screen: Screen, ref: MessageRef) -> None:
        """Follows a delivered answer, to remove it later; ignores answers that are to stay."""
        turn = self._turns.pop(event, None)
        passing = _passing_buttons(screen)
        if turn is not None:
            self._keep(turn.table_id, ref, turn)
        elif passing:
            self._keep(passing[0].table_id, ref, passing)
        else:
            self._followed.pop(ref, None)

    def _keep(self, table_id: int, ref: MessageRef, content: Buttons | OwnTurn) -> None:
        self._followed[ref] = content
        self._by_table.setdefault(table_id, set()).add(ref)

    def changed(self, table_id: int) -> None:
        """Removes the answers that a change of their table has made useless."""
        if self._by_table.get(table_id):
            self._outbox.start(self._look(table_id))

    async def _look(self, table_id: int) -> None:
        try:
            table = await self._tables.table(table_id)
            for ref in list(self._by_table.get(table_id, ())):
                content = self._followed.get(ref)
                if content is not None and await self._is_of_use(content, table):
                    continue

                self._by_table[table_id].discard(ref)
                if content is not None:
                    await self.remove(ref, table.room)
        except Exception:
            log.exception("answers_not_removed", table=table_id)

    async def _is_of_use(self, content: Buttons | OwnTurn, table: Table) -> bool:
        if not isinstance(content, OwnTurn):
            return any(_changes_something(button, table) for button in content)

        seat = table.seat_of(content.user)
        if table.phase is not Phase.PLAYING or seat is None:
            return False

        session = await self._tables.session(table.id)
        return session.version_for(seat) <= content.version

    async def remove(self, ref: MessageRef, room: RoomRef) -> None:
        """Removes an answer from its room, if the chat can."""
        self._followed.pop(ref, None)
        chat = self._chats[room.server.platform]
        if not chat.limits.edits:
            return

        async with chat.calls.turn(Everyone(room), can_wait=ONLOOKER_WAITS):
            await chat.delete(ref)


def _passing_buttons(screen: Screen) -> Buttons:
    """Returns a screen's buttons if all of them are `Passing`; otherwise none."""
    tokens = [each.token for row in screen.rows for each in row if isinstance(each, CallbackButton)]
    buttons: list[Button] = [decode(token) for token in tokens]
    passing = [each for each in buttons if isinstance(each, Passing)]
    return passing if len(passing) == len(buttons) else []


def _changes_something(button: Passing, table: Table) -> bool:
    """Returns whether a button of a panel or a question could still change its table."""
    if not button.counts_in(table.game):
        return False

    match button:
        case HostGame(action=HostAction.STOP | HostAction.PLAY_ON):
            return table.phase is Phase.PLAYING and bool(table.agreed)
        case HostGame():
            return table.phase is Phase.PLAYING
        case _:
            return table.phase in {Phase.LOBBY, Phase.ANNOUNCED}
