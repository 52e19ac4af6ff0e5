"""Renders each message of a table, as a function of the table's newest state."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from adapters.port import ChatPort, Everyone, Limits, Only, RoomRef, Screen, UserRef, View, ViewButton
from bot.cache import LIMITS, ReadThroughCache
from bot.delivery.finished_games import FinishedGames
from bot.delivery.illustrator import Illustrator
from bot.delivery.messages import MessageIndex, in_room
from bot.delivery.moments import Moment
from bot.delivery.reachability import Reachability
from bot.delivery.rings import Rings, Turn
from bot.delivery.views import OpenViews
from bot.locale import Translator
from bot.model.bets import takes_bets
from bot.model.messages import (
    HANDS,
    MessageAction,
    MessageKind,
    MessageSlot,
    OnlyInRoom,
    Place,
    Reader,
    Urgency,
)
from bot.model.people import PINS, Calling, NoFindings, Profile
from bot.model.table import ANNOUNCEMENT, Phase, Table
from bot.people import People, Servers
from bot.pictures.subjects import EndPicture, TablePicture
from bot.screens import lobby
from bot.screens.bets import bet_button, prophets_line
from bot.screens.board import board_of, hand_board
from bot.screens.calls import invitation_screen
from bot.screens.coaching import coached, coaching_line
from bot.screens.hand import (
    Hand,
    elsewhere_screen,
    fading_line,
    hand_screen,
    headed,
    heading_of,
    hushed_screen,
    leaving_screen,
    left_screen,
)
from bot.screens.names import names_of
from bot.screens.result import GameEnd, ending_screen, resigned_seat, result_screen, turning_line
from bot.screens.review import review_screen
from bot.screens.story import Scene, drawn_by, latest_news
from bot.screens.table import host_screen, table_screen
from bot.screens.teasing import result_tease, table_tease
from bot.screens.text import Line, in_hand_order
from bot.screens.titles import new_titles_line
from bot.screens.turn_call import call_screen
from bot.screens.views import view_button
from bot.storage import BetStore, CallStore, GameToReview, RecordStore, TitleStore
from bot.tables.reviews import Reviews
from bot.tables.rule_book import RuleBook
from bot.tables.scheduler import Scheduler
from bot.tables.service import TableService
from engine import Card, Done, Drew, Keep, Move, Outcome, Regret, Seat, TakenUp, short_seal
from engine.runtime import Author, Game, GameSession, SessionFrozenError


@dataclass(frozen=True, slots=True)
class OpenHand:
    """The open page of a hand, as long as its player's choice is that of `version`.

    Only the question whether they want to leave (page None) stays for the whole game, until it is answered.
    """

    game: int
    version: int
    page: int | None = 0
    advice: Move | None = None


@dataclass(slots=True)
class TableView:
    """The presenter's record of one table.

    Attributes:
        open_hands: By person, the open page of their hand.
        turns: By seat, the last turn in the game `turns_of`.
        ended: The last game that is over.
    """

    open_hands: dict[UserRef, OpenHand] = field(default_factory=dict)
    turns: dict[Seat, Turn] = field(default_factory=dict)
    turns_of: int = 0
    ended: GameEnd | None = None


class Presenter:
    """Renders the messages of tables for the outbox, and hands for handlers."""

    def __init__(
        self,
        *,
        tables: TableService,
        scheduler: Scheduler,
        message_index: MessageIndex,
        reachability: Reachability,
        rule_book: RuleBook,
        people: People,
        servers: Servers,
        records: RecordStore,
        titles: TitleStore,
        bets: BetStore,
        reviews: Reviews,
        illustrator: Illustrator,
        calls: CallStore,
        ports: Mapping[str, ChatPort],
        open_views: OpenViews,
    ) -> None:
        self._tables = tables
        self._scheduler = scheduler
        self._message_index = message_index
        self._reachability = reachability
        self._rule_book = rule_book
        self._people = people
        self._servers = servers
        self._reviews = reviews
        self._illustrator = illustrator
        self._calls = calls
        self._ports = ports
        self._moments = ReadThroughCache[int, Moment](self._look_up)
        self._open_views = open_views
        self._rings = Rings(ports, people, open_views)
        self._views = defaultdict[int, TableView](TableView)

        self._finished_games = FinishedGames(records, titles, bets)
        # Asked once for each game, so that it stays the first one until its end.
        self._beginners = ReadThroughCache[tuple[UserRef, int, int], bool](
            lambda seat: records.is_beginner(seat[0]), LIMITS.known
        )

    def changed(self, table_id: int) -> None:
        """Drops the moment of a table, which is looked up again when the table is drawn."""
        self._moments.forget(table_id)

    def evict(self, table_id: int) -> None:
        """Drops the record of an evicted table."""
        self._moments.forget(table_id)
        self._views.pop(table_id, None)

    def forget(self, user: UserRef) -> None:
        """Drops the open hands of a person, and the tables that they played at."""
        self._moments.forget_all()
        self._beginners.forget_all()
        self._finished_games.forget_people()
        for view in self._views.values():
            view.open_hands.pop(user, None)

            ended = view.ended
            if ended is not None and ended.table is not None and ended.table.knows(user):
                view.ended = replace(ended, table=None)

    # --- for the outbox: the messages of a table ------------------------------------------------------------

    async def places(self, table_id: int) -> Mapping[MessageSlot, Place]:
        """Returns every slot of a table's newest game, and of all reviews, with its reader and urgency.

        A table whose chat isn't served has none: nobody can be shown anything there.
        """
        self._moments.forget(table_id)  # reachability may have changed
        moment = await self._moment(table_id)
        if moment.table.room.server.platform not in self._ports:
            return {}

        public = MessageSlot(table_id, moment.table.game, MessageKind.TABLE)
        readers = self._public_readers(moment, public) | self._private_readers(moment)

        for slot, review in self._reviews.found.items():
            if slot.table_id == table_id and review.reader is not None:
                readers[slot] = review.reader

        pinned = public if self._is_pinned(moment) else None
        urgencies = await self._urgencies(moment)
        return {
            slot: Place(reader, urgencies.get(slot, Urgency.ORDINARY), slot == pinned)
            for slot, reader in readers.items()
        }

    def _public_readers(self, moment: Moment, public: MessageSlot) -> dict[MessageSlot, Reader]:
        """Returns the public messages that are due or there."""
        table = moment.table
        messages = moment.messages
        everyone = Everyone(table.room)
        readers: dict[MessageSlot, Reader] = {public: everyone}

        is_waiting = moment.scene is not None and moment.scene.waiting is not None
        for kind, is_due in (
            (MessageKind.CALL, is_waiting),
            (MessageKind.INVITATION, table.has_call),
            (MessageKind.RESULT, moment.ended is not None),
        ):
            slot = MessageSlot(table.id, table.game, kind)
            if is_due or slot in messages:
                readers[slot] = everyone

        return readers | {slot: everyone for slot in messages if slot.game == ANNOUNCEMENT}

    def _private_readers(self, moment: Moment) -> dict[MessageSlot, Reader]:
        """Returns the hands of the newest game, and those that show how the game before ended."""
        table = moment.table
        readers: dict[MessageSlot, Reader] = {}

        for user in table.people():
            hand = MessageSlot(table.id, table.game, MessageKind.HAND, user)
            readers[hand] = Only(user, table.room)
            room_hand = in_room(hand)
            if room_hand in moment.messages:
                readers[room_hand] = OnlyInRoom(user, table.room)

        for player in table.before:
            if player.user is None or player.is_forgotten:
                continue

            hand = MessageSlot(table.id, table.game - 1, MessageKind.HAND, player.user)
            if moment.is_shown(hand):
                readers[hand] = Only(player.user, table.room)

        return readers

    def _is_pinned(self, moment: Moment) -> bool:
        """Returns whether the table's message should be pinned."""
        table = moment.table
        is_in_use = table.phase in {Phase.ANNOUNCED, Phase.LOBBY, Phase.PLAYING}
        can_be_pinned = bool(self._ports[table.room.server.platform].limits.pin_right)
        is_own_of_room = is_in_use and not table.cup  # those of a cup are listed in its message
        return is_own_of_room and can_be_pinned and moment.choices.wants(PINS)

    async def _urgencies(self, moment: Moment) -> Mapping[MessageSlot, Urgency]:
        """Returns the urgency of each message that changes sooner or later than usual.

        The table is requested while people change it by its buttons, until the first move is made. The hand
        of a player without moves can wait, unless the end of a bout has brought them cards; and the hands of
        awaited players go before all others.
        """
        table = moment.table
        game = moment.game
        scene = moment.scene
        asked_for = {MessageSlot(table.id, table.game, MessageKind.TABLE): Urgency.ASKED_FOR}

        if table.phase is Phase.LOBBY:
            return asked_for
        if moment.session is None:
            return {} if table.panel is None else asked_for
        if table.phase is not Phase.PLAYING or game is None or scene is None:
            return {}

        urgencies = self._hand_urgencies(table, game)
        for user in await self._rings.due(moment, game, scene, self._turns_of(table)):
            urgencies[MessageSlot(table.id, table.game, MessageKind.HAND, user)] = Urgency.RINGS

        is_new = len(game.entries) == 1
        if is_new or table.panel is not None:
            return urgencies | asked_for

        return urgencies

    def _hand_urgencies(self, table: Table, game: Game) -> dict[MessageSlot, Urgency]:
        """Returns the urgency of the hands that aren't awaited."""
        is_new = len(game.entries) == 1
        dealt = set(range(len(table.players))) if is_new else _find_seats_dealt_to(game)
        urgencies = dict[MessageSlot, Urgency]()

        for seat, player in enumerate(table.players):
            may_act = seat in game.state.actors
            if may_act and seat in game.state.awaited:
                continue

            urgency = Urgency.UNHURRIED if may_act or seat in dealt else Urgency.CAN_WAIT
            for kind in (MessageKind.HAND, MessageKind.ROOM_HAND):
                urgencies[MessageSlot(table.id, table.game, kind, player.user)] = urgency

        return urgencies

    def _turns_of(self, table: Table) -> dict[Seat, Turn]:
        """Returns the turns of a table's newest game, by seat."""
        view = self._views[table.id]
        if view.turns_of != table.game:
            view.turns = {}
            view.turns_of = table.game
        return view.turns

    def version(self, table_id: int) -> int | None:
        """Returns the public version of a table's cards; None if they can't be read."""
        moment = self._moments.known(table_id)
        return None if moment is None or moment.session is None else moment.session.seen_version

    def shown(self, slot: MessageSlot, version: int) -> None:
        """Starts a player's time when they see their turn: in their hand, or at the table without one."""
        moment = self._moments.known(slot.table_id)
        if moment is None:
            return

        users = [slot.user] if slot.user is not None else []
        if slot.kind is MessageKind.TABLE:
            for user in moment.table.people():
                hand = MessageSlot(slot.table_id, slot.game, MessageKind.HAND, user)
                if not moment.is_shown(hand) and not moment.is_shown(in_room(hand)):
                    users.append(user)

        self._scheduler.shown(slot.table_id, version, users)

    async def screen(self, slot: MessageSlot) -> Screen | MessageAction:
        """Renders a slot."""
        if slot.kind is MessageKind.REVIEW and slot.user is not None:
            findings = self._reviews.findings(slot)
            translator = await self._people.translator_for(slot.user)
            return MessageAction.KEEP if findings is None else review_screen(slot.game, findings, translator)

        user = slot.user
        if user is not None and slot.kind in HANDS and self._open_views.is_open(slot.table_id, user):
            return MessageAction.KEEP  # until the view of it is closed

        moment = await self._moment(slot.table_id)
        table = moment.table
        if slot.user is None:
            translator = Translator(table.locale)
        else:
            profile, translator = await self._people.reader(slot.user)

        if moment.session is None:
            return self._unreadable(slot, table, translator)

        if slot.game != table.game:
            return await self._render_past_game(slot, moment, translator)
        if table.game == ANNOUNCEMENT:
            return await self._render_announcement(slot.kind, moment, translator)

        limits = self._limits_of(table.room)
        if moment.scene is None:
            return await self._before_the_deal(slot, moment, translator, limits)
        if slot.user is not None:
            return await self._hand_where_it_is(slot, slot.user, moment, profile, translator)

        return await self._public(slot.kind, moment, moment.scene, limits)

    def _limits_of(self, where: RoomRef | UserRef) -> Limits:
        """Returns the limits of the chat of a room or a person."""
        platform = where.server.platform if isinstance(where, RoomRef) else where.platform
        return self._ports[platform].limits

    def _unreadable(self, slot: MessageSlot, table: Table, translator: Translator) -> Screen | MessageAction:
        """Renders a table whose cards can't be read."""
        if slot.game != table.game:
            return MessageAction.KEEP
        if slot.kind is not MessageKind.TABLE:
            return MessageAction.REMOVE
        if table.phase is Phase.CLOSED:
            return lobby.closed_screen(table, translator)

        return lobby.frozen_screen(table, translator)

    # --- for views: the same for one person, at one moment --------------------------------------------------

    async def view(self, table_id: int, user: UserRef, limits: Limits) -> View:
        """Renders the newest state of a table for a view of one person, which has these limits.

        The panels that others have open in the chat are none of the view's.
        """
        moment = await self._moment(table_id)
        table = replace(moment.table, panel=None)
        scene = None if moment.scene is None else replace(moment.scene, table=table)
        moment = replace(moment, table=table, scene=scene)
        seat = table.seat_of(user)
        is_away = seat is None  # nobody has to be called to where they sit
        shown = await self._table_in_view(moment, replace(limits, can_call=limits.can_call and is_away))

        if scene is None or moment.session is None:
            return View(shown)

        result = None
        if moment.ended is not None:
            drawn = await self._public(MessageKind.RESULT, moment, scene, limits)
            result = drawn if isinstance(drawn, Screen) else None

        if seat is None:
            return View(shown, result=result)

        hand = await self._hand(moment, user, seat, limits)
        return View(shown, hand, result)

    async def _table_in_view(self, moment: Moment, limits: Limits) -> Screen:
        """Renders the public message of a table."""
        table = moment.table
        translator = Translator(table.locale)
        slot = MessageSlot(table.id, table.game, MessageKind.TABLE)

        if moment.session is None:
            drawn = self._unreadable(slot, table, translator)
        elif table.game == ANNOUNCEMENT:
            drawn = await self._render_announcement(slot.kind, moment, translator)
        elif moment.scene is None:
            drawn = await self._before_the_deal(slot, moment, translator, limits)
        else:
            drawn = await self._public(slot.kind, moment, moment.scene, limits)

        return drawn if isinstance(drawn, Screen) else lobby.closed_screen(table, translator)

    def seen(self, table_id: int, user: UserRef, version: int) -> None:
        """Starts a player's time, who sees this version of their turn in a view."""
        self._scheduler.shown(table_id, version, [user])

    # --- for handlers: the parts of an answer to one person -------------------------------------------------

    async def hand(
        self, table_id: int, user: UserRef, *, page: int | None = 0, limits: Limits | None = None
    ) -> Screen | None:
        """Renders a person's hand in a table's newest game, and keeps that page open; None if they have none.

        Page None asks whether they want to leave. Without `limits` it has those of their chat.

        Raises:
            SessionFrozenError: The record of the cards contradicts itself.
        """
        moment = await self._moment(table_id)
        if moment.session is None:
            raise SessionFrozenError(table_id)

        seat = moment.table.seat_of(user)
        if seat is None or moment.scene is None or moment.game is None:
            return None

        opened = self._open_hand(moment.table, user, moment.game.version_for(seat))
        self._views[table_id].open_hands[user] = replace(opened, page=page)
        return await self._hand(moment, user, seat, limits or self._limits_of(user))

    async def panel(self, table: Table, translator: Translator, limits: Limits) -> Screen:
        """Renders the open panel of a table's settings, or of its host, for one person alone.

        Raises:
            SessionFrozenError: The record of the cards contradicts itself.
        """
        moment = await self._moment(table.id)
        if moment.session is None:
            raise SessionFrozenError(table.id)
        if table.phase is Phase.CLOSED:
            return lobby.closed_screen(table, translator)

        if moment.scene is not None:
            return host_screen(replace(moment.scene, table=table, translator=translator), limits)

        return lobby.settings_screen(table, await self._rule_sets(table), limits, translator)

    def advise(self, table: Table, user: UserRef, version: int, move: Move) -> None:
        """Shows an advice in a person's hand, as long as their choice is that of `version`."""
        opened = self._open_hand(table, user, version)
        self._views[table.id].open_hands[user] = replace(opened, advice=move)

    def _open_hand(self, table: Table, user: UserRef, version: int) -> OpenHand:
        """Returns the open page of a person's hand, or the first one if their choice is another by now."""
        opened = self._views[table.id].open_hands.get(user)
        if opened is None or opened.game != table.game:
            return OpenHand(table.game, version)
        if opened.version == version:
            return opened

        page = None if opened.page is None else 0
        return OpenHand(table.game, version, page=page)

    # --- look-ups -------------------------------------------------------------------------------------------

    async def _moment(self, table_id: int) -> Moment:
        """Returns a table at its latest change; a frozen one is looked up again, in case it was mended."""
        moment = await self._moments.get(table_id)
        if moment.session is None or moment.session.newest is not moment.game:
            self._moments.forget(table_id)
            moment = await self._moments.get(table_id)
        return moment

    async def _look_up(self, table_id: int) -> Moment:
        messages = await self._message_index.of(table_id)
        try:
            table, session = await self._tables.with_session(table_id)
        except SessionFrozenError:
            table = await self._tables.table(table_id)
            return Moment(table, messages, await self._servers.choices(table.room.server))

        choices = await self._servers.choices(table.room.server)
        # Nothing is awaited from here on, so that all is of one moment.
        game = session.newest
        ended = None

        if game is not None and game.state.ended is not None:
            resigned = resigned_seat(game.public_events)
            ended = GameEnd(session.game, game.opening, game.state.ended, resigned=resigned)
            self._views[table.id].ended = replace(ended, table=self._table_at(ended, table))

        moment = Moment(table, messages, choices, session, game, ended)
        if game is None or session.game != table.game or table.phase is Phase.LOBBY:
            return moment

        return replace(moment, scene=self._scene(moment, game, session))

    def _table_at(self, ended: GameEnd, table: Table) -> Table | None:
        """Returns the table as it was at the end of a game; None if that is unknown."""
        if ended.game == table.game:
            return table
        before = self._views[table.id].ended
        return before.table if before is not None and before.game == ended.game else None

    def _scene(self, moment: Moment, game: Game, session: GameSession) -> Scene:
        table = moment.table
        away = self._scheduler.stand_ins(table, session)

        return Scene(
            table=table,
            names=names_of(table.players),
            view=game.state.public_view(),
            translator=Translator(table.locale),
            events=game.public_events,
            away=away,
            waiting=self._scheduler.waiting(table, session, away, moment.choices.local_time),
            is_asleep=self._scheduler.is_asleep(table, session, away),
            unreachable=self._unreachable(moment),
            seconds=game.entries[-1].at - game.entries[0].at,
            stood_in_for=_stood_in_for(table, game),
        )

    def _unreachable(self, moment: Moment) -> frozenset[Seat]:
        """Returns the seats of people without any message of their cards: they can't be written to."""
        table = moment.table
        seats = set[Seat]()

        for seat, player in enumerate(table.players):
            if player.user is None or not self._reachability.is_unnotified(player.user):
                continue
            if moment.message(MessageKind.ROOM_HAND, table.game, player.user) is None:
                seats.add(seat)

        return frozenset(seats)

    # --- public messages ------------------------------------------------------------------------------------

    async def _public(
        self, kind: MessageKind, moment: Moment, scene: Scene, limits: Limits
    ) -> Screen | MessageAction:
        """Renders a public message of a dealt game."""
        match kind:
            case MessageKind.TABLE:
                return await self._render_table(moment, scene, limits)
            case MessageKind.CALL:
                return self._render_call(moment, scene, limits)
            case MessageKind.RESULT:
                return await self._render_result(moment, scene, limits)
            case _:
                return MessageAction.REMOVE

    async def _render_table(self, moment: Moment, scene: Scene, limits: Limits) -> Screen:
        """Renders a running game, or its last position."""
        table = scene.table
        translator = scene.translator
        choices = moment.choices
        is_called_off = table.phase is Phase.CLOSED and scene.view.outcome is None
        if is_called_off:
            return lobby.closed_screen(table, translator)

        tease = table_tease(scene) if choices.wants("teasing") else ()
        takes_more_bets = choices.wants("bets") and takes_bets(table, scene.view, scene.events)
        bet = bet_button(table, translator) if takes_more_bets else None
        live_table = self._live_table(table, limits, translator)

        screen = table_screen(scene, limits, tease=tease, live_table=live_table, bet=bet)
        if limits.boards:
            return replace(screen, board=board_of(scene))

        picture = TablePicture(scene.view, scene.names, scene.away)
        return await self._illustrator.beside(screen, picture, table.room.server, limits, translator)

    def _render_call(self, moment: Moment, scene: Scene, limits: Limits) -> Screen | MessageAction:
        """Renders the call to those whose move it is."""
        called = call_screen(
            scene,
            table_message=moment.message(MessageKind.TABLE, scene.table.game),
            offers_hand=not limits.boards,
            can_show_hands=limits.ephemeral_answers,
        )
        return called or MessageAction.REMOVE

    async def _render_result(self, moment: Moment, scene: Scene, limits: Limits) -> Screen | MessageAction:
        """Renders the result of a finished game, with the lines that its server wants."""
        table = scene.table
        outcome = scene.view.outcome
        translator = scene.translator
        choices = moment.choices
        if outcome is None or moment.game is None:
            return MessageAction.REMOVE

        game = (table.id, table.game)
        facts = self._finished_games
        opening = moment.game.opening
        tease = Line()
        titles = Line()
        prophets = Line()
        turning = Line()

        if choices.wants("teasing"):
            tease = result_tease(scene, outcome, opening, await facts.losses_before.get(game))
        if choices.wants("titles"):
            titles = new_titles_line(await facts.new_titles.get(game), scene.names, translator)
        if choices.wants("bets"):
            prophets = prophets_line(await facts.prophets.get(game), translator)
        if choices.wants("turning"):
            turning = turning_line(self._fools_regrets(moment, outcome), scene)

        screen = result_screen(
            scene,
            outcome,
            opening,
            fools_hand=_fools_hand(moment.game, outcome),
            tease=tease,
            titles=titles,
            prophets=prophets,
            turning=turning,
            has_film=limits.can_call,
            has_more=await facts.has_more.get(game),
            live_table=self._live_table(table, limits, translator),
        )
        if limits.boards:
            screen = replace(screen, board=board_of(scene))

        has_places = table.rules.teams == "off"
        picture = EndPicture(outcome if has_places else replace(outcome, order=()), scene.names)
        return await self._illustrator.beside(screen, picture, table.room.server, limits, translator)

    def _fools_regrets(self, moment: Moment, outcome: Outcome) -> Sequence[Regret]:
        """Returns the costly moves of a fool who is a person; requests a review that is missing."""
        table = moment.table
        fool = outcome.fool
        if moment.game is None or fool is None:
            return ()

        user = table.players[fool].user
        has_resigned = resigned_seat(moment.game.public_events) is not None
        if user is None or has_resigned:
            return ()

        slot = MessageSlot(table.id, table.game, MessageKind.REVIEW, user)
        findings = self._reviews.findings(slot)
        if findings is None:
            played = GameToReview(table.id, table.game, fool, moment.game.entries)
            self._reviews.request(slot, None, played)

        return () if findings is None or isinstance(findings, NoFindings) else findings

    async def _render_past_game(
        self, slot: MessageSlot, moment: Moment, translator: Translator
    ) -> Screen | MessageAction:
        """Renders the end of the game before in hands; tables and results stay in the chat as they are.

        A rematch may be asked for faster than a slow chat takes messages: until the next deal, messages that
        were still to show the end do so.
        """
        table = moment.table
        ended = self._views[slot.table_id].ended
        if slot.kind in {MessageKind.CALL, MessageKind.INVITATION} or slot.game == ANNOUNCEMENT:
            return MessageAction.REMOVE
        if ended is None or ended.game != slot.game:
            return MessageAction.KEEP

        if slot.user is None:
            if ended.table is None or moment.game is None or moment.session is None:
                return MessageAction.KEEP
            if moment.session.game != slot.game:
                return MessageAction.KEEP

            then = replace(moment, table=ended.table)
            scene = self._scene(then, moment.game, moment.session)
            return await self._public(slot.kind, then, scene, self._limits_of(table.room))

        if ended.game != table.game - 1 or self._is_hushed(slot.user, await self._people.profile(slot.user)):
            return MessageAction.KEEP

        earlier = replace(table, game=ended.game, rules=ended.opening.rules, players=table.before)
        if table.expects(slot.user):
            earlier = earlier.with_phase(Phase.OVER)  # they can still ask for a rematch

        seat = earlier.seat_of(slot.user)
        if seat is None:
            return MessageAction.REMOVE

        limits = self._limits_of(slot.user)
        return await self._render_ending(replace(moment, table=earlier), ended, seat, translator, limits)

    async def _render_announcement(
        self, kind: MessageKind, moment: Moment, translator: Translator
    ) -> Screen | MessageAction:
        """Renders an announced table, or the call of its people; nothing is left of it once it has opened."""
        table = moment.table
        if table.starts_at is None or kind not in {MessageKind.TABLE, MessageKind.INVITATION}:
            return MessageAction.REMOVE

        time = lobby.moment_span(table.starts_at, moment.choices, translator)
        if kind is MessageKind.TABLE:
            return lobby.announced_screen(
                table,
                time,
                translator,
                is_zone_guessed=not moment.choices.time_zone,
                is_quiet=moment.choices.local_time.is_quiet(table.starts_at),
            )

        if not table.has_call:
            return MessageAction.REMOVE

        shown = moment.message(MessageKind.TABLE, table.game)
        return invitation_screen(table, replace(time, link=shown), shown, translator)

    async def _before_the_deal(
        self, slot: MessageSlot, moment: Moment, translator: Translator, limits: Limits
    ) -> Screen | MessageAction:
        """Renders the lobby, or the call of invited people."""
        table = moment.table
        if slot.kind is MessageKind.INVITATION and table.has_call:
            shown = moment.message(MessageKind.TABLE, table.game)
            return invitation_screen(table, None, shown, translator)

        if slot.kind is not MessageKind.TABLE:
            return MessageAction.REMOVE
        if table.phase is Phase.CLOSED:
            return lobby.closed_screen(table, translator)

        seal = short_seal(table.seed)
        rule_sets = await self._rule_sets(table)
        can_call = not (table.has_called or table.is_full)
        gathering = lobby.Gathering(
            self._scheduler.countdown(table),
            self._scheduler.minutes_kept(table),
            can_call and await self._has_company(table),
        )
        screen = lobby.lobby_screen(
            table,
            seal,
            rule_sets,
            limits,
            translator,
            gathering=gathering,
            live_table=self._live_table(table, limits, translator),
        )

        if not limits.boards:
            return screen

        return replace(screen, board=lobby.lobby_board(table, seal, translator, gathering))

    async def _has_company(self, table: Table) -> bool:
        return bool(await self._calls.company(table.room, table.people(), self._scheduler.now()))

    async def _rule_sets(self, table: Table) -> Sequence[str]:
        return await self._rule_book.names(table.room.server) if table.panel == "preset" else ()

    # --- hands, from the deal to the end of a game ----------------------------------------------------------

    async def _hand_where_it_is(
        self, slot: MessageSlot, user: UserRef, moment: Moment, profile: Profile, translator: Translator
    ) -> Screen | MessageAction:
        """Renders the hand in the message its player used last, and a pointer to it in the other one."""
        table = moment.table
        seat = table.seat_of(user)
        limits = self._limits_of(user)
        is_shown = moment.is_shown(slot)
        is_over = moment.ended is not None or table.phase is Phase.CLOSED

        if seat is None or moment.scene is None:
            return MessageAction.REMOVE

        if slot.kind is MessageKind.ROOM_HAND:
            if not is_shown:
                return MessageAction.REMOVE

            hand = await self._hand(moment, user, seat, limits)
            is_fading = moment.messages[slot].is_fading and not is_over
            return headed(fading_line(translator), hand) if is_fading else hand

        is_in_room = moment.is_shown(in_room(slot))
        if is_in_room and not is_shown:
            return MessageAction.REMOVE
        if self._is_hushed(user, profile):
            return hushed_screen(table, translator) if is_shown else MessageAction.REMOVE
        if is_in_room and not is_over:  # the end is shown in both places
            return elsewhere_screen(table, moment.message(MessageKind.TABLE, slot.game), translator)

        return await self._hand(moment, user, seat, limits)

    def _is_hushed(self, user: UserRef, profile: Profile) -> bool:
        """Returns whether a person wants no private messages, and the room can show them their cards."""
        can_do_without = self._ports[user.platform].limits.ephemeral_seconds > 0
        return can_do_without and profile.calling is Calling.NEVER

    async def _hand(self, moment: Moment, user: UserRef, seat: Seat, limits: Limits) -> Screen:
        """Renders the hand of a dealt game, or the end of the game."""
        table = moment.table
        game = moment.game
        scene = moment.scene
        assert game is not None  # it is dealt
        assert scene is not None

        profile, translator = await self._people.reader(user)
        scene = replace(scene, translator=translator)
        if moment.ended is not None or table.phase is Phase.CLOSED:
            ended = moment.ended or GameEnd(table.game, game.opening, None)
            return await self._render_ending(moment, ended, seat, translator, limits)

        version = game.version_for(seat)
        opened = self._open_hand(table, user, version)
        table_message = moment.message(MessageKind.TABLE, table.game)
        heading = Line()

        plays_elsewhere = len(self._tables.known.games_of(user)) > 1
        if plays_elsewhere:
            heading = heading_of(scene, table_message)
            table_message = None

        hand = Hand(scene, game.state.view_for(seat), version)
        has_left = table.players[seat].has_left
        if has_left or opened.page is None:
            question = left_screen(scene) if has_left else leaving_screen(scene)
            screen = headed(heading, question)
            if not limits.boards:
                return screen

            return replace(screen, board=hand_board(hand, note=question.body, one_tap=profile.one_tap))

        hand = replace(
            hand,
            moves=game.state.legal_moves(seat),
            page=opened.page,
            order=profile.hand_order,
            advice=opened.advice,
            drawn=drawn_by(game.events, seat),
        )
        is_beginner = await self._beginners.get((user, table.id, table.game))
        lesson = coaching_line(hand) if is_beginner else Line()

        live_table = self._live_table(table, limits, translator)
        screen = hand_screen(hand, limits, table_message=table_message, live_table=live_table)
        screen = coached(headed(heading, screen), lesson)

        if limits.boards:
            return replace(screen, board=hand_board(hand, lesson=lesson, one_tap=profile.one_tap))
        if limits.private_pictures:
            return await self._illustrator.hand(screen, hand, limits)

        return screen

    def _live_table(self, table: Table, limits: Limits, translator: Translator) -> ViewButton | None:
        """Returns the button to the live table, where it is offered and not shown already."""
        if limits.boards or not self._open_views.is_offered:
            return None
        return view_button(table, translator)

    async def _render_ending(
        self, moment: Moment, ended: GameEnd, seat: Seat, translator: Translator, limits: Limits
    ) -> Screen:
        """Renders the end of a game for a player; the table is as it was in that game."""
        table = moment.table
        change = None
        if ended.outcome is not None:
            change = (await self._finished_games.rating_changes.get((table.id, ended.game))).get(seat)

        shown = moment.message(MessageKind.TABLE, ended.game)
        user = table.players[seat].user
        is_marked = False

        if user is not None and moment.choices.wants("worn"):
            is_marked = (await self._people.profile(user)).wears_mark

        return ending_screen(
            table,
            ended,
            seat,
            shown,
            translator,
            rating_change=change,
            is_marked=is_marked,
            live_table=self._live_table(table, limits, translator),
        )


def _find_seats_dealt_to(game: Game) -> set[Seat]:
    """Returns the seats that got cards at the end of the latest bout."""
    seats = set[Seat]()
    for event in latest_news(game.events):
        match event:
            case Drew():
                seats.add(event.seat)
            case TakenUp():
                seats.add(event.defender)

    return seats


def _fools_hand(game: Game, outcome: Outcome) -> Sequence[Card]:
    """Returns the cards that the fool of a finished game has left."""
    if outcome.fool is None:
        return ()
    return in_hand_order(game.state.view_for(outcome.fool))


def _stood_in_for(table: Table, game: Game) -> Seat | None:
    """Returns the seat for whose person the clock or a house player made the newest move, if it is news."""
    for entry, action in zip(reversed(game.entries), reversed(game.actions), strict=False):
        is_news = not isinstance(action, Done | Keep)
        if is_news and entry.seat is not None:
            is_person = table.players[entry.seat].user is not None
            is_stand_in = entry.author in {Author.CLOCK, Author.HOUSE}
            return entry.seat if is_person and is_stand_in else None

        if not game.state.bout:
            return None  # that pass has ended the bout, which is the news

    return None
