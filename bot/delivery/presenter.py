"""What each message of a table should show, as a function of the table's newest state."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from adapters.port import ChatPort, Everyone, Only, Screen, UserRef
from bot.delivery.hand_screens import HandScreens
from bot.delivery.illustrator import Illustrator
from bot.delivery.scenes import Scenes, is_dealt
from bot.delivery.urgencies import Urgencies
from bot.locale import Translator
from bot.model.message_slots import MessageAction, MessageKind, MessageSlot, OnlyInRoom, Reader, Urgency
from bot.model.table import Phase, Table
from bot.people import People
from bot.screens.board import board_of
from bot.screens.call import call_screen
from bot.screens.ending import Ended
from bot.screens.lobby import closed_screen, frozen_screen, lobby_board, lobby_screen, settings_screen
from bot.screens.result import result_screen
from bot.screens.review import review_screen
from bot.screens.scene import Scene
from bot.screens.table import host_screen, table_screen
from bot.tables.reviews import Reviews
from bot.tables.rule_book import RuleBook
from bot.tables.service import TableService
from engine import Move, short_seal
from engine.runtime import GameSession, SessionFrozenError


@dataclass(frozen=True, slots=True)
class _LastGame:
    """The last game of a table that is over, and the table as it was then, if that is known."""

    ended: Ended
    table: Table | None


class Presenter:
    """Draws tables; the outbox sends what it says."""

    def __init__(
        self,
        *,
        tables: TableService,
        scenes: Scenes,
        rule_book: RuleBook,
        hands: HandScreens,
        urgencies: Urgencies,
        people: People,
        reviews: Reviews,
        illustrator: Illustrator,
        ports: Mapping[str, ChatPort],
    ) -> None:
        self._tables = tables
        self._scenes = scenes
        self._rule_book = rule_book
        self._hands = hands
        self._urgencies = urgencies
        self._people = people
        self._reviews = reviews
        self._illustrator = illustrator
        self._ports = ports
        self._last: dict[int, _LastGame] = {}

    async def places(self, table_id: int) -> Mapping[MessageSlot, Reader]:
        """Name every slot of the table's newest game, shown or not, and all reviews, and who sees it."""
        table = await self._tables.table(table_id)
        everyone = Everyone(table.room)
        public: dict[MessageSlot, Reader] = {
            MessageSlot(table_id, table.game, kind): everyone
            for kind in (MessageKind.TABLE, MessageKind.CALL, MessageKind.RESULT)
        }
        hands: dict[MessageSlot, Reader] = {
            MessageSlot(table_id, table.game, kind, user): audience(user, table.room)
            for kind, audience in ((MessageKind.HAND, Only), (MessageKind.ROOM_HAND, OnlyInRoom))
            for user in table.people()
        }
        return {**public, **hands, **self._reviews.places(table_id)}

    async def urgencies(self, table_id: int) -> Mapping[MessageSlot, Urgency]:
        """Name the messages of a table that change sooner or later than usual."""
        return await self._urgencies.of(table_id)

    async def screen(self, slot: MessageSlot) -> Screen | MessageAction:
        """Say what a slot shows."""
        table = await self._tables.table(slot.table_id)
        translator = (
            Translator(table.locale) if slot.user is None else await self._people.translator_for(slot.user)
        )
        if slot.kind is MessageKind.REVIEW:
            findings = self._reviews.findings(slot)
            return MessageAction.KEEP if findings is None else review_screen(slot.game, findings, translator)
        try:
            session = await self._tables.session(slot.table_id)
        except SessionFrozenError:
            if slot.game != table.game:
                return MessageAction.KEEP
            if slot.kind is not MessageKind.TABLE:
                return MessageAction.REMOVE
            is_closed = table.phase is Phase.CLOSED
            return closed_screen(table, translator) if is_closed else frozen_screen(table, translator)
        if session.outcome is not None and session.opening is not None:
            self._remember(table, Ended(session.game, session.opening, session.outcome))
        if slot.game != table.game:
            return await self._of_an_earlier_game(slot, table, session, translator)
        if not is_dealt(table, session):
            return (
                await self._before_the_deal(table, translator)
                if slot.kind is MessageKind.TABLE
                else MessageAction.REMOVE
            )
        return await self._of_a_dealt_game(slot, table, session, translator)

    async def hand(self, table: Table, user: UserRef, *, page: int | None = 0) -> Screen | None:
        """Draw a person's hand in the newest game, and keep that page open; None if they hold none in it.

        Page None asks whether they want to leave.

        Raises:
            SessionFrozenError: What is on disk about the cards contradicts itself.
        """
        session = await self._tables.session(table.id)
        seat = table.seat_of(user)
        if seat is None or not is_dealt(table, session):
            return None
        self._scenes.open_hands.turn_to(page, session.version_for(seat), table, user)
        return await self._hands.hand(table, session, user, seat, await self._people.translator_for(user))

    async def panel(self, table: Table, translator: Translator) -> Screen:
        """Draw what is open of a table's settings, or of what its host can do, for one person alone.

        Raises:
            SessionFrozenError: What is on disk about the cards contradicts itself.
        """
        session = await self._tables.session(table.id)
        if table.phase is Phase.CLOSED:
            return closed_screen(table, translator)
        if is_dealt(table, session):
            return host_screen(await self._scenes.public(table, session), translator)
        limits = self._ports[table.room.server.platform].limits
        return settings_screen(table, await self._rule_sets(table), limits, translator)

    def advise(self, table: Table, user: UserRef, version: int, move: Move) -> None:
        """Show a person this advice with their hand, for as long as their choice is that of `version`."""
        self._scenes.open_hands.advise(move, version, table, user)

    def evict(self, table_id: int) -> None:
        """Know nothing of a table that nobody needs any more."""
        self._scenes.evict(table_id)
        self._urgencies.evict(table_id)
        self._last.pop(table_id, None)

    def forget(self, user: UserRef) -> None:
        """Know nothing any more of what a person has open, nor of the games they have played."""
        self._scenes.forget(user)
        for table_id, last in self._last.items():
            if last.table is not None and last.table.knows(user):
                self._last[table_id] = replace(last, table=None)

    def _remember(self, table: Table, ended: Ended) -> None:
        before = self._last.get(table.id)
        as_it_was = before.table if before is not None and before.ended.game == ended.game else None
        self._last[table.id] = _LastGame(ended, table if ended.game == table.game else as_it_was)

    async def _of_a_dealt_game(
        self, slot: MessageSlot, table: Table, session: GameSession, translator: Translator
    ) -> Screen | MessageAction:
        if slot.user is not None:
            return await self._hands.where_it_is(slot, slot.user, table, session, translator)
        scene = await self._scenes.public(table, session)
        outcome = scene.view.outcome
        match slot.kind:
            case MessageKind.TABLE if table.phase is Phase.CLOSED and outcome is None:
                return closed_screen(table, translator)
            case MessageKind.TABLE:
                limits = self._ports[table.room.server.platform].limits
                screen = table_screen(scene, translator, offers_hand=not limits.boards)
                screen = self._with_board(screen, scene, translator)
                return await self._illustrator.table(screen, scene, translator)
            case MessageKind.CALL:
                return call_screen(scene, translator) or MessageAction.REMOVE
            case MessageKind.RESULT if outcome is not None and session.opening is not None:
                screen = result_screen(scene, outcome, session.opening, translator)
                screen = self._with_board(screen, scene, translator)
                return await self._illustrator.end(screen, scene, outcome, translator)
        return MessageAction.REMOVE

    def _with_board(self, screen: Screen, scene: Scene, translator: Translator) -> Screen:
        """Add the table itself, for a chat that draws it."""
        limits = self._ports[scene.table.room.server.platform].limits
        return replace(screen, board=board_of(scene, translator)) if limits.boards else screen

    async def _of_an_earlier_game(
        self, slot: MessageSlot, table: Table, session: GameSession, translator: Translator
    ) -> Screen | MessageAction:
        """Tables and results stay in the chat as a memory of the end; hands say how the game ended.

        Who asks for a rematch at once is quicker than a chat that takes few messages: until the next deal,
        what was to be shown of the end still is.
        """
        if slot.kind is MessageKind.CALL:
            return MessageAction.REMOVE
        last = self._last.get(table.id)
        if last is None or last.ended.game != slot.game:
            return MessageAction.KEEP
        if slot.user is None:
            if last.table is None or session.game != slot.game:
                return MessageAction.KEEP
            return await self._of_a_dealt_game(slot, last.table, session, translator)
        ended = last.ended
        if ended.game != table.game - 1:
            return MessageAction.KEEP
        earlier = replace(table, game=ended.game, rules=ended.opening.rules, players=table.before)
        seat = earlier.seat_of(slot.user)
        return (
            MessageAction.REMOVE
            if seat is None
            else await self._hands.ending(earlier, ended, seat, translator)
        )

    async def _before_the_deal(self, table: Table, translator: Translator) -> Screen:
        if table.phase is Phase.CLOSED:
            return closed_screen(table, translator)
        limits = self._ports[table.room.server.platform].limits
        seal = short_seal(table.seed)
        screen = lobby_screen(table, seal, await self._rule_sets(table), limits, translator)
        return replace(screen, board=lobby_board(table, seal, translator)) if limits.boards else screen

    async def _rule_sets(self, table: Table) -> Sequence[str]:
        return await self._rule_book.names(table.room.server) if table.panel == "preset" else ()
