"""Gathers what people see of a dealt game, each as one value of one moment."""

from dataclasses import dataclass, replace

from adapters.port import MessageRef, Only, UserRef
from bot.delivery.message_index import MessageIndex
from bot.delivery.open_hands import OpenHands
from bot.delivery.reachability import Reachability
from bot.model.message_slots import MessageKind, MessageSlot
from bot.model.table import Phase, Table
from bot.people import People
from bot.screens.hand import Offered
from bot.screens.people import names_of
from bot.screens.scene import Scene
from bot.screens.story import drawn_by
from bot.tables.scheduler import Scheduler
from bot.tables.service import TableService
from engine import Card, Seat, SeatView, State, seen_by
from engine.runtime import GameSession


@dataclass(frozen=True, slots=True)
class PlayerScene:
    """What one player sees of a running game.

    Attributes:
        scene: What everybody sees.
        view: What their seat sees.
        offered: Their moves and how they look at them; None while they are asked whether they want to leave.
        has_left: Whether a house player plays on for them.
        is_one_of_several: Whether they sit at other tables, too, so that this one has to be named.
        table_message: The message of the table.
        drawn: The cards that they have drawn since the newest bout ended.
    """

    scene: Scene
    view: SeatView
    offered: Offered | None
    has_left: bool
    is_one_of_several: bool
    table_message: MessageRef | None
    drawn: tuple[Card, ...]


def is_dealt(table: Table, session: GameSession) -> bool:
    """Whether people may see the cards of the newest game.

    Its deal is on disk before its beginning is: until both are, nobody is shown anything of it.
    """
    return table.phase is not Phase.LOBBY and session.state is not None and session.game == table.game


class Scenes:
    """Asks everybody who knows something about a game. Nothing is drawn here."""

    def __init__(
        self,
        *,
        tables: TableService,
        scheduler: Scheduler,
        reachability: Reachability,
        people: People,
        message_index: MessageIndex,
    ) -> None:
        self._tables = tables
        self._scheduler = scheduler
        self._reachability = reachability
        self._people = people
        self._message_index = message_index
        self.open_hands = OpenHands()
        self._newest: dict[int, tuple[State, Scene]] = {}

    def evict(self, table_id: int) -> None:
        """Know nothing of a table that nobody needs any more."""
        self.open_hands.evict(table_id)
        self._newest.pop(table_id, None)

    def forget(self, user: UserRef) -> None:
        """Know nothing any more of what a person has open, nor of the tables that know them."""
        self.open_hands.forget(user)
        for table_id in [each for each, (_, scene) in self._newest.items() if scene.table.knows(user)]:
            del self._newest[table_id]

    async def public(self, table: Table, session: GameSession) -> Scene:
        """Return what everybody sees, and how long the table has been waiting."""
        waiting = await self._scheduler.waiting(table, session)
        shown = await self._message_index.of(table.id)
        in_room = {
            slot.user for slot in shown if slot.kind is MessageKind.ROOM_HAND and slot.game == table.game
        }
        scene = self._now(table, session)
        without_hand = {seat for seat in scene.unreachable if table.players[seat].user not in in_room}
        return replace(scene, waiting=waiting, unreachable=frozenset(without_hand))

    async def of_player(self, table: Table, session: GameSession, user: UserRef, seat: Seat) -> PlayerScene:
        """Return what one player sees, all of one moment: nothing is awaited once the game is looked at."""
        order = (await self._people.profile(user)).hand_order
        table_message = await self.table_message(table, table.game)
        scene, state = self._now(table, session), session.state
        if state is None:
            raise ValueError(table.id)
        version = session.version_for(seat)
        opened = self.open_hands.at(version, table, user)
        return PlayerScene(
            scene,
            state.view_for(seat),
            None
            if opened.page is None
            else Offered(version, state.legal_moves(seat), opened.page, order, opened.advice),
            has_left=table.players[seat].has_left,
            is_one_of_several=len(self._tables.games_of(user)) > 1,
            table_message=table_message,
            drawn=drawn_by(session.events, seat),
        )

    async def table_message(self, table: Table, game: int) -> MessageRef | None:
        """Return the public message of a game, if it stands."""
        return await self._message_index.message(MessageSlot(table.id, game, MessageKind.TABLE))

    def _now(self, table: Table, session: GameSession) -> Scene:
        """Return what everybody sees, as one value for all who see it until something changes."""
        if session.state is None:
            raise ValueError(table.id)
        state, scene = self._newest.get(table.id, (None, None))
        if scene is None or state is not session.state or scene.table is not table:
            scene = Scene(
                table=table,
                names=names_of(table.players),
                view=session.state.public_view(),
                events=seen_by(session.events, None),
            )
            self._newest[table.id] = session.state, scene
        return replace(
            scene,
            seconds=session.changed_at - session.entries[0].at,
            away=self._scheduler.stand_ins(table, session),
            unreachable=frozenset(
                seat
                for seat, player in enumerate(table.players)
                if player.user is not None
                and not self._reachability.is_reachable(Only(player.user, table.room))
            ),
        )
