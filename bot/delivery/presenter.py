"""What each message of a table should show, as a function of the table's newest state."""

import asyncio
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from cachetools import LRUCache

from adapters.port import ChatPort, Everyone, MessageRef, Only, Screen, UserRef
from bot.delivery.illustrator import Illustrator
from bot.delivery.messages import MessageIndex, in_room
from bot.delivery.reachability import Reachability
from bot.locale import Translator
from bot.model.messages import MessageAction, MessageKind, MessageSlot, OnlyInRoom, Place, Reader, Urgency
from bot.model.table import Phase, Table, Waiting
from bot.people import People, Servers
from bot.screens.board import board_of, hand_board
from bot.screens.hand import (
    Offered,
    elsewhere_screen,
    fading_line,
    hand_screen,
    headed,
    heading_of,
    hushed_screen,
    leaving_screen,
    left_screen,
)
from bot.screens.lobby import closed_screen, frozen_screen, lobby_board, lobby_screen, settings_screen
from bot.screens.result import Ended, ending_screen, result_screen
from bot.screens.review import review_screen
from bot.screens.story import Line, Scene, drawn_by
from bot.screens.table import call_screen, host_screen, table_screen
from bot.screens.teasing import result_tease, table_tease
from bot.screens.words import names_of
from bot.storage import RecordStore
from bot.tables.reviews import Reviews
from bot.tables.rule_book import RuleBook
from bot.tables.scheduler import Scheduler, has_nothing_to_add
from bot.tables.service import TableService
from engine import Card, Move, Opening, Outcome, Seat, SeatView, State, seen_by, short_seal
from engine.runtime import Author, GameSession, SessionFrozenError


@dataclass(frozen=True, slots=True)
class _Moment:
    """What everybody sees of a game, and how long its table has been waiting, at one moment."""

    state: State
    scene: Scene
    waiting: Waiting | None


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


@dataclass(frozen=True, slots=True)
class OpenHand:
    """What a person has open in their hand, as long as their choice is that of `version`.

    Only the question whether they want to leave (page None) stays for the whole game, until it is answered.
    """

    game: int
    version: int
    page: int | None = 0
    advice: Move | None = None


class OpenHands:
    """Remembers what people have open, by table."""

    def __init__(self) -> None:
        self._tables: defaultdict[int, dict[UserRef, OpenHand]] = defaultdict(dict)

    def at(self, version: int, table: Table, user: UserRef) -> OpenHand:
        """Return what a person has open whose choice is that of `version`: what belongs to it, or nothing."""
        opened = self._tables[table.id].get(user)
        if opened is not None and opened.game == table.game:
            if opened.version == version:
                return opened
            if opened.page is None:
                return replace(opened, version=version, advice=None)
        return OpenHand(table.game, version)

    def turn_to(self, page: int | None, version: int, table: Table, user: UserRef) -> None:
        """Open a page; None is the question whether they want to leave."""
        self._tables[table.id][user] = replace(self.at(version, table, user), page=page)

    def advise(self, move: Move, version: int, table: Table, user: UserRef) -> None:
        """Show an advice with the hand."""
        self._tables[table.id][user] = replace(self.at(version, table, user), advice=move)

    def evict(self, table_id: int) -> None:
        """Drop what is known of a table that was evicted."""
        self._tables.pop(table_id, None)

    def forget(self, user: UserRef) -> None:
        """Drop what a person has open."""
        for opened in self._tables.values():
            opened.pop(user, None)


def is_dealt(table: Table, session: GameSession) -> bool:
    """Whether people may see the cards of the newest game.

    Its deal is on disk before its beginning is: until both are, nothing of it is shown.
    """
    return table.phase is not Phase.LOBBY and session.state is not None and session.game == table.game


class Scenes:
    """Collects what there is to know about a game. Nothing is drawn here.

    All messages of a table that are rendered in one turn of the event loop show the same moment.
    """

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
        self._moments: dict[int, _Moment] = {}

    def evict(self, table_id: int) -> None:
        """Drop what is known of a table that was evicted."""
        self.open_hands.evict(table_id)
        self._newest.pop(table_id, None)

    def forget(self, user: UserRef) -> None:
        """Drop what a person has open, and the tables that know them."""
        self.open_hands.forget(user)
        for table_id in [each for each, (_, scene) in self._newest.items() if scene.table.knows(user)]:
            del self._newest[table_id]

    async def public(self, table: Table, session: GameSession) -> Scene:
        """Return what everybody sees, and how long the table has been waiting."""
        messages = await self._message_index.of(table.id)
        moment = await self._moment(table, session)
        without_hand = set[Seat]()
        for seat in moment.scene.unreachable:
            hand = messages.get(
                MessageSlot(table.id, table.game, MessageKind.ROOM_HAND, table.players[seat].user)
            )
            if hand is None or hand.ref is None:
                without_hand.add(seat)
        return replace(moment.scene, waiting=moment.waiting, unreachable=frozenset(without_hand))

    async def of_player(self, table: Table, session: GameSession, user: UserRef, seat: Seat) -> PlayerScene:
        """Return what one player sees, all of one moment: nothing is awaited once the game is looked at.

        A pass that the table makes by itself is not offered, unless the room calls for a move.
        """
        order = (await self._people.profile(user)).hand_order
        table_message = await self.table_message(table, table.game)
        moment = await self._moment(table, session)
        scene, state, waiting = moment.scene, moment.state, moment.waiting
        version = session.version_for(seat)
        opened = self.open_hands.at(version, table, user)
        is_called = waiting is not None and seat in waiting.called
        is_idle = has_nothing_to_add(table, state, seat) and not is_called
        moves = () if is_idle else state.legal_moves(seat)
        return PlayerScene(
            scene,
            state.view_for(seat),
            None if opened.page is None else Offered(version, moves, opened.page, order, opened.advice),
            has_left=table.players[seat].has_left,
            is_one_of_several=len(self._tables.games_of(user)) > 1,
            table_message=table_message,
            drawn=drawn_by(session.events, seat),
        )

    async def endings(self, table: Table) -> Mapping[MessageSlot, Reader]:
        """Name the private messages that say how the game before ended, and who sees them."""
        users = [
            player.user for player in table.before if player.user is not None and not player.is_forgotten
        ]
        return {
            slot: Only(user, table.room)
            for user in users
            for slot in [MessageSlot(table.id, table.game - 1, MessageKind.HAND, user)]
            if await self._message_index.message(slot) is not None
        }

    async def table_message(self, table: Table, game: int) -> MessageRef | None:
        """Return the public message of a game, if it stands."""
        return await self._message_index.message(MessageSlot(table.id, game, MessageKind.TABLE))

    async def _moment(self, table: Table, session: GameSession) -> _Moment:
        moment = self._moments.get(table.id)
        if moment is None or moment.scene.table is not table or moment.state is not session.state:
            waiting = await self._scheduler.waiting(table, session)
            if session.state is None:
                raise ValueError(table.id)
            moment = _Moment(session.state, self._now(table, session), waiting)
            if not self._moments:
                asyncio.get_running_loop().call_soon(self._moments.clear)
            self._moments[table.id] = moment
        return moment

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


# --- What one player's private message shows, from the deal to the end of a game ---


KEPT_GAMES = 128
"""Games of which it is known what they changed: an end is drawn for each player, and again after it."""


class HandScreens:
    """Draws hands, and what becomes of them."""

    def __init__(
        self,
        *,
        scenes: Scenes,
        message_index: MessageIndex,
        illustrator: Illustrator,
        records: RecordStore,
        people: People,
        ports: Mapping[str, ChatPort],
    ) -> None:
        self._people = people
        self._scenes = scenes
        self._message_index = message_index
        self._illustrator = illustrator
        self._records = records
        self._ports = ports
        self._changes = LRUCache[tuple[int, int], Mapping[Seat, float]](KEPT_GAMES)

    async def where_it_is(
        self, slot: MessageSlot, user: UserRef, table: Table, session: GameSession, translator: Translator
    ) -> Screen | MessageAction:
        """Draw a hand where its player has pressed last; elsewhere, say where it is."""
        seat = table.seat_of(user)
        message = await self._message_index.load(slot)
        is_private, is_shown = slot.kind is MessageKind.HAND, message.ref is not None
        is_in_room = await self._message_index.message(in_room(slot)) is not None
        if seat is None or not (is_shown or (is_private and not is_in_room)):
            return MessageAction.REMOVE
        if is_private and await self.is_hushed(user):
            return hushed_screen(table, translator) if is_shown else MessageAction.REMOVE
        is_over = session.outcome is not None or table.phase is Phase.CLOSED  # which is said in both places
        if is_private and not is_over and is_in_room:
            table_message = await self._scenes.table_message(table, table.game)
            return elsewhere_screen(table, table_message, translator)
        hand = await self.hand(table, session, user, seat, translator)
        return headed(fading_line(translator), hand) if message.is_fading and not is_over else hand

    async def is_hushed(self, user: UserRef) -> bool:
        """Whether a person wants no private messages, where the room can show them their cards."""
        can_do_without = self._ports[user.platform].limits.ephemeral_seconds > 0
        return can_do_without and not (await self._people.profile(user)).private_messages

    async def hand(
        self, table: Table, session: GameSession, user: UserRef, seat: Seat, translator: Translator
    ) -> Screen:
        """Draw the hand of a dealt game, or how the game has ended."""
        if session.opening is not None and (table.phase is Phase.CLOSED or session.outcome is not None):
            ended = Ended(session.game, session.opening, session.outcome)
            return await self.ending(table, ended, seat, translator)
        sight = await self._scenes.of_player(table, session, user, seat)
        scene, offered = sight.scene, sight.offered
        heading = heading_of(scene, sight.table_message, translator) if sight.is_one_of_several else ()
        limits = self._ports[user.platform].limits
        if sight.has_left or offered is None:
            asked = (left_screen if sight.has_left else leaving_screen)(scene, translator)
            screen, note, offered = headed(heading, asked), asked.body, None
        else:
            hand = hand_screen(
                scene,
                sight.view,
                offered,
                limits,
                translator,
                drawn=sight.drawn,
                table_message=None if heading else sight.table_message,
            )
            screen, note = headed(heading, hand), ()
            screen = await self._illustrator.hand(screen, scene, sight.view, offered, translator)
        if not limits.boards:
            return screen
        return replace(screen, board=hand_board(scene, sight.view, offered, translator, note=note))

    async def ending(self, table: Table, ended: Ended, seat: Seat, translator: Translator) -> Screen:
        """Draw how a game ended for a player; `table` is as it was in that game."""
        table_message = await self._scenes.table_message(table, ended.game)
        change = (
            None if ended.outcome is None else (await self._rating_changes(table.id, ended.game)).get(seat)
        )
        return ending_screen(table, ended, seat, table_message, translator, rating_change=change)

    async def _rating_changes(self, table_id: int, game: int) -> Mapping[Seat, float]:
        """Return what a game has changed, which is asked for by all who played it."""
        key = table_id, game
        if key not in self._changes:
            self._changes[key] = await self._records.rating_changes(table_id, game)
        return self._changes[key]


# --- How soon each message of a table is to change, and whose hand has to be noticed ---


QUIET_SECONDS = 60.0
"""No phone rings again sooner than this, but for the call in the room."""

PRESENT_SECONDS = 20.0
"""Who has pressed so short a time ago is looking; a hand that is posted again would jump under the thumb."""


@dataclass(frozen=True, slots=True)
class _Turn:
    """When a player had to act last: whether that is now, in which bout, and when their phone rang for it."""

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

    async def of(self, table: Table) -> Mapping[MessageSlot, Urgency]:
        """Name the messages of a table that change sooner or later than usual; asked after each change.

        The table is asked for while people change it by its buttons, until the first move is made. The hand
        of a player who may do nothing can wait while a bout runs; between bouts all have new cards.
        """
        table_id = table.id
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
        """Drop what is known of a table that was evicted."""
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
    return seat in state.awaited and not has_nothing_to_add(table, state, seat)


def _is_present(session: GameSession, seat: Seat) -> bool:
    own = (each for each in reversed(session.entries) if each.seat == seat and each.author is Author.PLAYER)
    newest = next(own, None)
    return newest is not None and newest.at > session.changed_at - PRESENT_SECONDS


# --- What each message of a table should show, as a function of the table's newest state ---


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
        servers: Servers,
        records: RecordStore,
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
        self._servers = servers
        self._records = records
        self._reviews = reviews
        self._illustrator = illustrator
        self._ports = ports
        self._lost_before = LRUCache[tuple[int, int], Mapping[Seat, int]](KEPT_GAMES)
        self._last: dict[int, _LastGame] = {}

    async def places(self, table_id: int) -> Mapping[MessageSlot, Place]:
        """Name every slot of the table's newest game, shown or not, and all reviews."""
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
        endings = await self._scenes.endings(table)
        urgencies = await self._urgencies.of(table)
        readers = {**public, **hands, **endings, **self._reviews.places(table_id)}
        return {
            slot: Place(reader, urgencies.get(slot, Urgency.ORDINARY)) for slot, reader in readers.items()
        }

    async def version(self, table_id: int) -> int | None:
        """Return the version of a table's game; None where it cannot be read."""
        try:
            return (await self._tables.session(table_id)).version
        except SessionFrozenError:
            return None

    async def screen(self, slot: MessageSlot) -> Screen | MessageAction:
        """Say what a slot shows."""
        try:
            table, session = await self._tables.with_session(slot.table_id)
        except SessionFrozenError:
            table, session = await self._tables.table(slot.table_id), None
        translator = (
            Translator(table.locale) if slot.user is None else await self._people.translator_for(slot.user)
        )
        if slot.kind is MessageKind.REVIEW:
            findings = self._reviews.findings(slot)
            return MessageAction.KEEP if findings is None else review_screen(slot.game, findings, translator)
        if session is None:
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
        limits = self._ports[table.room.server.platform].limits
        if is_dealt(table, session):
            return host_screen(await self._scenes.public(table, session), limits, translator)
        return settings_screen(table, await self._rule_sets(table), limits, translator)

    def advise(self, table: Table, user: UserRef, version: int, move: Move) -> None:
        """Show a person this advice with their hand, for as long as their choice is that of `version`."""
        self._scenes.open_hands.advise(move, version, table, user)

    def evict(self, table_id: int) -> None:
        """Drop what is known of a table that was evicted."""
        self._scenes.evict(table_id)
        self._urgencies.evict(table_id)
        self._last.pop(table_id, None)

    def forget(self, user: UserRef) -> None:
        """Drop what a person has open, and the games that they have played."""
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
                tease = table_tease(scene, translator) if await self._teases(table) else ()
                screen = table_screen(scene, limits, translator, tease=tease)
                screen = self._with_board(screen, scene, translator)
                return await self._illustrator.table(screen, scene, translator)
            case MessageKind.CALL:
                called = call_screen(
                    scene,
                    translator,
                    table_message=await self._scenes.table_message(table, table.game),
                    offers_hand=not self._ports[table.room.server.platform].limits.boards,
                )
                return called or MessageAction.REMOVE
            case MessageKind.RESULT if outcome is not None and session.opening is not None:
                tease = await self._result_tease(scene, outcome, session.opening, translator)
                boards = self._ports[table.room.server.platform].limits.boards
                screen = result_screen(
                    scene, outcome, session.opening, translator, tease=tease, has_film=not boards
                )
                screen = self._with_board(screen, scene, translator)
                return await self._illustrator.end(screen, scene, outcome, translator)
        return MessageAction.REMOVE

    async def _teases(self, table: Table) -> bool:
        return (await self._servers.choices(table.room.server)).wants("teasing")

    async def _result_tease(
        self, scene: Scene, outcome: Outcome, opening: Opening, translator: Translator
    ) -> Line:
        """Say something about the end of a game; earlier games do not change, so they are read once."""
        if not await self._teases(scene.table):
            return ()
        key = scene.table.id, scene.table.game
        if key not in self._lost_before:
            self._lost_before[key] = await self._records.losses_before(*key)
        return result_tease(scene, outcome, opening, self._lost_before[key], translator)

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
        if ended.game != table.game - 1 or await self._hands.is_hushed(slot.user):
            return MessageAction.KEEP
        earlier = replace(table, game=ended.game, rules=ended.opening.rules, players=table.before)
        if table.expects(slot.user):
            earlier = earlier.entered(Phase.OVER)  # they can still ask for a rematch
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
