"""Looks up tables: one consistent moment for all messages that show a table."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from adapters.port import MessageRef, UserRef
from bot.cache import ReadThroughCache
from bot.delivery.memory import TableMemory
from bot.delivery.messages import Message, MessageIndex
from bot.delivery.reachability import Reachability
from bot.model.messages import MessageKind, Subject, TableSlot
from bot.model.server_choices import ServerChoices
from bot.model.table import Phase, Table
from bot.people import People, Servers
from bot.screens.names import names_of
from bot.screens.result import GameEnd, resigned_seat
from bot.screens.story import Scene
from bot.tables.scheduler import Scheduler
from bot.tables.service import TableService
from engine import Done, Keep, Seat
from engine.runtime import Author, Game, GameSession, SessionFrozenError


@dataclass(frozen=True, slots=True)
class Moment:
    """A table at one moment, looked up once for all messages that show it."""

    table: Table  # with its people
    messages: Mapping[TableSlot, Message]  # its messages; a live view
    choices: ServerChoices  # of its server
    session: GameSession | None = None  # its cards; None if they can't be read
    game: Game | None = None  # its newest game; None before the first deal
    end: GameEnd | None = None  # the end of that game; None while it runs
    # The public facts of the newest game; None before its deal. The deal is stored before the table begins
    # the game: nothing is shown until both are on disk.
    scene: Scene | None = None

    @property
    def has_lost_moves(self) -> bool:
        """Whether the newest game is over, and its moves were deleted like those of other old games."""
        return self.table.phase is Phase.OVER and self.game is None

    def message(self, kind: MessageKind, game: int, user: UserRef | None = None) -> MessageRef | None:
        """Returns the message of this kind for a game; None if there is none.

        While a message is being replaced, returns the old one, so that messages leading to it change once.
        """
        message = self.messages.get(TableSlot(self.table.id, game, kind, user))
        return None if message is None else message.ref or message.state.shown.replaced

    def is_shown(self, slot: TableSlot) -> bool:
        """Returns whether a message shows this slot."""
        message = self.messages.get(slot)
        return message is not None and message.ref is not None


class Moments:
    """Caches the newest moment of each table, and keeps the memory of its messages."""

    def __init__(
        self,
        *,
        tables: TableService,
        scheduler: Scheduler,
        message_index: MessageIndex,
        reachability: Reachability,
        people: People,
        servers: Servers,
    ) -> None:
        self._tables = tables
        self._scheduler = scheduler
        self._message_index = message_index
        self._reachability = reachability
        self._people = people
        self._servers = servers
        self._known = ReadThroughCache[int, Moment](self._look_up)
        self._memories = defaultdict[int, TableMemory](TableMemory)

    async def newest(self, table_id: int) -> Moment:
        """Returns a table at its latest change.

        A frozen table is looked up again, in case it was repaired.
        """
        moment = await self._known.get(table_id)
        if moment.session is None or moment.session.newest is not moment.game:
            self._known.forget(table_id)
            moment = await self._known.get(table_id)

        return moment

    def known(self, table_id: int) -> Moment | None:
        """Returns the cached moment of a table, if it is still current."""
        return self._known.known(table_id)

    def memory(self, table_id: int) -> TableMemory:
        """Returns the memory of a table's messages."""
        return self._memories[table_id]

    def changed(self, table_id: int) -> None:
        """Drops the cached moment of a table; drawing the table looks it up again."""
        self._known.forget(table_id)

    def evict(self, table_id: int) -> None:
        """Drops everything about an evicted table."""
        self._known.forget(table_id)
        self._memories.pop(table_id, None)

    def forget(self, user: UserRef) -> None:
        """Drops a person from every memory, and all moments."""
        self._known.forget_all()
        for memory in self._memories.values():
            memory.forget(user)

    async def _look_up(self, table_id: int) -> Moment:
        messages = await self._message_index.of(Subject.of_table(table_id))
        try:
            table, session = await self._tables.with_session(table_id)
        except SessionFrozenError:
            table = await self._tables.table(table_id)
            return Moment(table, messages, await self._servers.choices(table.room.server))

        choices = await self._servers.choices(table.room.server)
        # No await from here on, so that everything is of one moment.
        game = session.newest
        end = None

        if game is not None and game.state.ended is not None:
            resigned = resigned_seat(game.public_events)
            end = GameEnd(session.game, game.opening, game.state.ended, resigned=resigned)
            memory = self.memory(table.id)
            memory.end = replace(end, table=self._table_at(end, table))
            memory.finished = game

        moment = Moment(table, messages, choices, session, game, end)
        if game is None or session.game != table.game or table.phase is Phase.LOBBY:
            return moment

        return replace(moment, scene=self.scene(moment, game))

    def _table_at(self, end: GameEnd, table: Table) -> Table | None:
        """Returns the table as it was at the end of a game; None if that is unknown.

        After a restart, the table of the previous game has its players, but may have newer settings.
        """
        if end.game == table.game:
            return table

        before = self.memory(table.id).end
        if before is not None and before.game == end.game and before.table is not None:
            return before.table

        is_game_before = end.game == table.game - 1
        if not is_game_before:
            return None

        return table.at_game_before(end.opening.rules).with_phase(Phase.OVER)

    def scene(self, moment: Moment, game: Game) -> Scene:
        """Returns the public facts of a dealt game, at the table as it is in the moment."""
        table = moment.table
        schedule = self._scheduler.schedule(table, game)

        return Scene(
            table=table,
            names=names_of(table.players),
            view=game.state.public_view(),
            translator=self._people.translator(table.locale, table.room.server.platform),
            events=game.public_events,
            away=schedule.away,
            waiting=schedule.waiting(moment.choices.local_time),
            is_asleep=schedule.is_asleep,
            gone=self._gone(table, schedule.away),
            unreachable=self._unreachable(moment),
            seconds=game.entries[-1].at - game.entries[0].at,
            is_room_lost=not self._reachability.is_served(table.room),
            stood_in_for=_stood_in_for(table, game),
        )

    def _gone(self, table: Table, away: Collection[Seat]) -> frozenset[Seat]:
        """Returns the seats of people who left the chat in mid-game, except those that a bot plays."""
        gone = {
            seat
            for seat, player in enumerate(table.players)
            if player.user is not None and self._people.has_left(player.user, table.room)
        }
        return frozenset(gone.difference(away))

    def _unreachable(self, moment: Moment) -> frozenset[Seat]:
        """Returns the seats of people who have no message with their cards and cannot be written to."""
        table = moment.table
        seats = set[Seat]()

        for seat, player in enumerate(table.players):
            if player.user is None or not self._reachability.is_unnotified(player.user):
                continue
            if moment.message(MessageKind.ROOM_HAND, table.game, player.user) is None:
                seats.add(seat)

        return frozenset(seats)


def _stood_in_for(table: Table, game: Game) -> Seat | None:
    """Returns the seat whose newest move the clock or a house player made for a person, if that is news."""
    for entry, action in zip(reversed(game.entries), reversed(game.actions), strict=False):
        is_news = not isinstance(action, Done | Keep)
        if is_news and entry.seat is not None:
            is_person = table.players[entry.seat].user is not None
            is_stand_in = entry.author in {Author.CLOCK, Author.HOUSE}
            return entry.seat if is_person and is_stand_in else None

        if not game.state.bout:
            return None  # that pass ended the bout, so the end of the bout is the news

    return None
