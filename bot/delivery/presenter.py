"""What each message of a table should show, as a function of the table's newest state."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from adapters.port import ChatPort, Everyone, MessageRef, Only, Screen, UserRef
from bot.cache import LIMITS, ReadThroughCache
from bot.delivery.illustrator import Illustrator
from bot.delivery.messages import Message, MessageIndex, in_room
from bot.delivery.reachability import Reachability
from bot.locale import Translator
from bot.model.messages import MessageAction, MessageKind, MessageSlot, OnlyInRoom, Place, Reader, Urgency
from bot.model.people import PINS, Calling, Profile, ServerChoices
from bot.model.results import Title
from bot.model.table import ANNOUNCEMENT, Phase, Table
from bot.people import People, Servers
from bot.pictures.subjects import EndPicture, TablePicture
from bot.screens import lobby
from bot.screens.board import board_of, hand_board
from bot.screens.calls import invitation_screen
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
from bot.screens.result import GameEnd, ending_screen, resigned_seat, result_screen
from bot.screens.review import review_screen
from bot.screens.story import Scene, drawn_by, latest_news
from bot.screens.table import call_screen, host_screen, table_screen
from bot.screens.teasing import result_tease, table_tease
from bot.screens.text import Line, in_hand_order
from bot.screens.titles import new_titles_line
from bot.storage import CallStore, RecordStore, TitleStore
from bot.tables.reviews import Reviews
from bot.tables.rule_book import RuleBook
from bot.tables.scheduler import Scheduler
from bot.tables.service import TableService
from engine import Card, Done, Drew, Keep, Move, Outcome, Seat, TakenUp, short_seal
from engine.runtime import Author, Game, GameSession, SessionFrozenError

# --- A table at one moment ---


@dataclass(frozen=True, slots=True)
class Moment:
    """A table at one moment, looked up once for all messages that show it."""

    table: Table  # the people around it
    messages: Mapping[MessageSlot, Message]  # where it is shown; these are kept up to date
    choices: ServerChoices  # what its server chose
    session: GameSession | None = None  # its cards; None where they cannot be read
    game: Game | None = None  # the newest game that was dealt there; None before the first
    ended: GameEnd | None = None  # how that game has ended; None while it runs
    # What everybody sees of the table's newest game; None before its deal. The deal is on disk before the
    # beginning of the game is: until both are, nothing of it is shown.
    scene: Scene | None = None

    def message(self, kind: MessageKind, game: int, user: UserRef | None = None) -> MessageRef | None:
        """Return the message that shows this of a game; None where it is not shown."""
        message = self.messages.get(MessageSlot(self.table.id, game, kind, user))
        return None if message is None else message.ref


@dataclass(frozen=True, slots=True)
class OpenHand:
    """What a person has open in their hand, as long as their choice is that of `version`.

    Only the question whether they want to leave (page None) stays for the whole game, until it is answered.
    """

    game: int
    version: int
    page: int | None = 0
    advice: Move | None = None


# --- What each message shows ---


class Presenter:
    """Draws tables; the outbox sends what it says."""

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
        reviews: Reviews,
        illustrator: Illustrator,
        calls: CallStore,
        ports: Mapping[str, ChatPort],
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
        self._rings = Rings(ports, people)
        self._open_hands: defaultdict[int, dict[UserRef, OpenHand]] = defaultdict(dict)  # by table
        # What a game has changed is asked for by all who played it, and stays as it is.
        self._changes = ReadThroughCache[tuple[int, int], Mapping[Seat, float]](
            lambda game: records.rating_changes(*game), LIMITS.games
        )
        self._titles = ReadThroughCache[tuple[int, int], Mapping[Title, Sequence[Seat]]](
            lambda game: titles.new_titles(*game), LIMITS.games
        )
        self._lost_before = ReadThroughCache[tuple[int, int], Mapping[Seat, int]](
            lambda game: records.losses_before(*game), LIMITS.games
        )
        self._last: dict[int, GameEnd] = {}  # of each table, the last game that is over

    def changed(self, table_id: int) -> None:
        """Look a table up again when it is to be drawn."""
        self._moments.forget(table_id)

    def evict(self, table_id: int) -> None:
        """Drop what is known of a table that was evicted."""
        self._moments.forget(table_id)
        self._open_hands.pop(table_id, None)
        self._rings.evict(table_id)
        self._last.pop(table_id, None)

    def forget(self, user: UserRef) -> None:
        """Drop what a person has open, and the tables that know them."""
        for opened in self._open_hands.values():
            opened.pop(user, None)
        self._moments.forget_all()
        for table_id, last in self._last.items():
            if last.table is not None and last.table.knows(user):
                self._last[table_id] = replace(last, table=None)

    # --- for the outbox: who sees a table, and what ---------------------------------------------------------

    async def places(self, table_id: int) -> Mapping[MessageSlot, Place]:
        """Name every slot that a table's newest game may be seen on, and all reviews."""
        self._moments.forget(table_id)  # reachability may have changed
        moment = await self._moment(table_id)
        table, messages = moment.table, moment.messages
        everyone, public = Everyone(table.room), MessageSlot(table_id, table.game, MessageKind.TABLE)
        readers: dict[MessageSlot, Reader] = {public: everyone}
        is_waiting = moment.scene is not None and moment.scene.waiting is not None
        for kind, is_due in (
            (MessageKind.CALL, is_waiting),
            (MessageKind.INVITATION, table.has_call),
            (MessageKind.RESULT, moment.ended is not None),
        ):
            slot = MessageSlot(table_id, table.game, kind)
            if is_due or slot in messages:
                readers[slot] = everyone
        readers |= {slot: everyone for slot in messages if slot.game == ANNOUNCEMENT}
        for user in table.people():
            hand = MessageSlot(table_id, table.game, MessageKind.HAND, user)
            readers[hand] = Only(user, table.room)
            if (slot := in_room(hand)) in messages:
                readers[slot] = OnlyInRoom(user, table.room)
        for player in table.before:
            if player.user is not None and not player.is_forgotten:  # they are told how that game ended
                hand = MessageSlot(table_id, table.game - 1, MessageKind.HAND, player.user)
                if moment.message(hand.kind, hand.game, player.user) is not None:
                    readers[hand] = Only(player.user, table.room)
        for slot, review in self._reviews.found.items():
            if slot.table_id == table_id and review.reader is not None:
                readers[slot] = review.reader
        is_there = table.phase in {Phase.ANNOUNCED, Phase.LOBBY, Phase.PLAYING}
        can_be = is_there and self._ports[table.room.server.platform].limits.pin_right
        pinned = public if can_be and moment.choices.wants(PINS) else None
        urgencies = await self._urgencies(moment)
        return {
            slot: Place(reader, urgencies.get(slot, Urgency.ORDINARY), slot == pinned)
            for slot, reader in readers.items()
        }

    async def _urgencies(self, moment: Moment) -> Mapping[MessageSlot, Urgency]:
        """Name the messages of a table that change sooner or later than usual; asked after each change.

        The table is asked for while people change it by its buttons, until the first move is made. The hand
        of a player who may do nothing can wait, unless the end of a bout has brought them cards; and the
        hands that the game waits for go before all others.
        """
        table, game, scene = moment.table, moment.game, moment.scene
        asked_for = {MessageSlot(table.id, table.game, MessageKind.TABLE): Urgency.ASKED_FOR}
        if table.phase is Phase.LOBBY:
            return asked_for
        if moment.session is None:
            return {} if table.panel is None else asked_for
        if table.phase is not Phase.PLAYING or game is None or scene is None:
            return {}
        urgencies, is_new = dict[MessageSlot, Urgency](), len(game.entries) == 1
        dealt = set[Seat](range(len(table.players)) if is_new else ())
        for event in latest_news(game.events):
            if isinstance(event, Drew | TakenUp):
                dealt.add(event.seat if isinstance(event, Drew) else event.defender)
        for seat, player in enumerate(table.players):
            may_act = seat in game.state.actors
            if not may_act or seat not in game.state.awaited:
                urgency = Urgency.UNHURRIED if may_act or seat in dealt else Urgency.CAN_WAIT
                for kind in (MessageKind.HAND, MessageKind.ROOM_HAND):
                    urgencies[MessageSlot(table.id, table.game, kind, player.user)] = urgency
        for user in await self._rings.due(moment, game, scene):
            urgencies[MessageSlot(table.id, table.game, MessageKind.HAND, user)] = Urgency.RINGS
        return urgencies | asked_for if is_new or table.panel is not None else urgencies

    def version(self, table_id: int) -> int | None:
        """Returns the version of a table's cards that everybody can see; None where they cannot be read."""
        moment = self._moments.known(table_id)
        return None if moment is None or moment.session is None else moment.session.seen_version

    def shown(self, slot: MessageSlot, version: int) -> None:
        """Count a player's time from when they see what to do: in their hand, or at the table without one."""
        moment = self._moments.known(slot.table_id)
        if moment is None:
            return
        users = [slot.user] if slot.user is not None else []
        if slot.kind is MessageKind.TABLE:
            for user in moment.table.people():
                hand = moment.message(MessageKind.HAND, slot.game, user)
                if hand is None and moment.message(MessageKind.ROOM_HAND, slot.game, user) is None:
                    users.append(user)
        self._scheduler.shown(slot.table_id, version, users)

    async def screen(self, slot: MessageSlot) -> Screen | MessageAction:
        """Say what a slot shows."""
        if slot.kind is MessageKind.REVIEW and slot.user is not None:
            findings, translator = self._reviews.findings(slot), await self._people.translator_for(slot.user)
            return MessageAction.KEEP if findings is None else review_screen(slot.game, findings, translator)
        moment = await self._moment(slot.table_id)
        table = moment.table
        if slot.user is None:
            translator = Translator(table.locale)
        else:
            profile, translator = await self._people.reader(slot.user)
        if moment.session is None:
            if slot.game != table.game:
                return MessageAction.KEEP
            if slot.kind is not MessageKind.TABLE:
                return MessageAction.REMOVE
            is_closed = table.phase is Phase.CLOSED
            return (
                lobby.closed_screen(table, translator)
                if is_closed
                else lobby.frozen_screen(table, translator)
            )
        if slot.game != table.game:
            return await self._of_an_earlier_game(slot, moment, translator)
        if table.game == ANNOUNCEMENT:
            return await self._announced(slot.kind, moment, translator)
        if moment.scene is None:
            return await self._before_the_deal(slot, moment, translator)
        if slot.user is not None:
            return await self._hand_where_it_is(slot, slot.user, moment, profile, translator)
        return await self._public(slot.kind, moment, moment.scene)

    # --- for handlers: what one person sees in the answer to a press or a command ---------------------------

    async def hand(self, table_id: int, user: UserRef, *, page: int | None = 0) -> Screen | None:
        """Draw a person's hand in a table's newest game, and keep that page open; None if they hold none.

        Page None asks whether they want to leave.

        Raises:
            SessionFrozenError: What is on disk about the cards contradicts itself.
        """
        moment = await self._moment(table_id)
        if moment.session is None:
            raise SessionFrozenError(table_id)
        seat = moment.table.seat_of(user)
        if seat is None or moment.scene is None or moment.game is None:
            return None
        opened = self._opened(moment.table, user, moment.game.version_for(seat))
        self._open_hands[table_id][user] = replace(opened, page=page)
        return await self._hand(moment, user, seat, *await self._people.reader(user))

    async def panel(self, table: Table, translator: Translator) -> Screen:
        """Draw what is open of a table's settings, or of what its host can do, for one person alone.

        Raises:
            SessionFrozenError: What is on disk about the cards contradicts itself.
        """
        moment = await self._moment(table.id)
        if moment.session is None:
            raise SessionFrozenError(table.id)
        if table.phase is Phase.CLOSED:
            return lobby.closed_screen(table, translator)
        limits = self._ports[table.room.server.platform].limits
        if moment.scene is not None:
            return host_screen(replace(moment.scene, table=table, translator=translator), limits)
        return lobby.settings_screen(table, await self._rule_sets(table), limits, translator)

    def advise(self, table: Table, user: UserRef, version: int, move: Move) -> None:
        """Show a person this advice with their hand, for as long as their choice is that of `version`."""
        self._open_hands[table.id][user] = replace(self._opened(table, user, version), advice=move)

    def _opened(self, table: Table, user: UserRef, version: int) -> OpenHand:
        """Return what a person has open whose choice is that of `version`: what belongs to it, or nothing."""
        opened = self._open_hands[table.id].get(user)
        if opened is None or opened.game != table.game:
            return OpenHand(table.game, version)
        if opened.version == version:
            return opened
        return OpenHand(table.game, version, page=None if opened.page is None else 0)

    # --- looked up ------------------------------------------------------------------------------------------

    async def _moment(self, table_id: int) -> Moment:
        """Return a table as it was when it changed last; one that could not be read may have been mended."""
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
        game, ended = session.newest, None
        if game is not None and game.state.ended is not None:
            resigned = resigned_seat(game.public_events)
            ended = GameEnd(session.game, game.opening, game.state.ended, resigned=resigned)
            before = self._last.get(table.id)
            as_it_was = before.table if before is not None and before.game == ended.game else None
            self._last[table.id] = replace(ended, table=table if ended.game == table.game else as_it_was)
        moment = Moment(table, messages, choices, session, game, ended)
        if game is None or session.game != table.game or table.phase is Phase.LOBBY:
            return moment
        return replace(moment, scene=self._scene(moment, game, session))

    def _scene(self, moment: Moment, game: Game, session: GameSession) -> Scene:
        table, away = moment.table, self._scheduler.stand_ins(moment.table, session)
        return Scene(
            table=table,
            names=names_of(table.players),
            view=game.state.public_view(),
            translator=Translator(table.locale),
            events=game.public_events,
            away=away,
            waiting=self._scheduler.waiting(table, session, away, moment.choices.local_time),
            is_asleep=self._scheduler.is_asleep(table, session, away),
            unreachable=frozenset(
                seat
                for seat, player in enumerate(table.players)
                if player.user is not None
                and self._reachability.is_unnotified(player.user)
                and moment.message(MessageKind.ROOM_HAND, table.game, player.user) is None
            ),
            seconds=game.entries[-1].at - game.entries[0].at,
            stood_in_for=_stood_in_for(table, game),
        )

    # --- what everybody sees --------------------------------------------------------------------------------

    async def _public(self, kind: MessageKind, moment: Moment, scene: Scene) -> Screen | MessageAction:
        table, outcome, translator = scene.table, scene.view.outcome, scene.translator
        limits, choices = self._ports[table.room.server.platform].limits, moment.choices
        match kind:
            case MessageKind.TABLE if table.phase is Phase.CLOSED and outcome is None:
                return lobby.closed_screen(table, translator)
            case MessageKind.TABLE:
                tease = table_tease(scene) if choices.wants("teasing") else ()
                screen = table_screen(scene, limits, tease=tease)
                if limits.boards:
                    return replace(screen, board=board_of(scene))
                picture = TablePicture(scene.view, scene.names, scene.away)
                return await self._illustrator.beside(screen, picture, table.room.server, translator)
            case MessageKind.CALL:
                shown = moment.message(MessageKind.TABLE, table.game)
                called = call_screen(
                    scene,
                    table_message=shown,
                    offers_hand=not limits.boards,
                    can_show_hands=limits.ephemeral_answers,
                )
                return called or MessageAction.REMOVE
            case MessageKind.RESULT if outcome is not None and moment.game is not None:
                opening, tease, titles = moment.game.opening, Line(), Line()
                if choices.wants("teasing"):
                    lost_before = await self._lost_before.get((table.id, table.game))
                    tease = result_tease(scene, outcome, opening, lost_before)
                if choices.wants("titles"):
                    won = await self._titles.get((table.id, table.game))
                    titles = new_titles_line(won, scene.names, translator)
                screen = result_screen(
                    scene,
                    outcome,
                    opening,
                    fools_hand=_fools_hand(moment.game, outcome),
                    tease=tease,
                    titles=titles,
                    has_film=not limits.boards,
                )
                if limits.boards:
                    screen = replace(screen, board=board_of(scene))
                is_by_place = table.rules.teams == "off"
                drawn = outcome if is_by_place else replace(outcome, order=())
                end = EndPicture(drawn, scene.names)
                return await self._illustrator.beside(screen, end, table.room.server, translator)
        return MessageAction.REMOVE

    async def _of_an_earlier_game(
        self, slot: MessageSlot, moment: Moment, translator: Translator
    ) -> Screen | MessageAction:
        """Tables and results stay in the chat as a memory of the end; hands say how the game ended.

        A rematch may be asked for faster than a slow chat takes messages: until the next deal,
        what was to be shown of the end still is.
        """
        table, ended = moment.table, self._last.get(slot.table_id)
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
            return await self._public(slot.kind, then, scene)
        if ended.game != table.game - 1 or self._is_hushed(slot.user, await self._people.profile(slot.user)):
            return MessageAction.KEEP
        earlier = replace(table, game=ended.game, rules=ended.opening.rules, players=table.before)
        if table.expects(slot.user):
            earlier = earlier.entered(Phase.OVER)  # they can still ask for a rematch
        seat = earlier.seat_of(slot.user)
        if seat is None:
            return MessageAction.REMOVE
        return await self._ending(replace(moment, table=earlier), ended, seat, translator)

    async def _announced(
        self, kind: MessageKind, moment: Moment, translator: Translator
    ) -> Screen | MessageAction:
        """Draw an announced table, or call those who come; nothing is left of it once it has opened."""
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
        self, slot: MessageSlot, moment: Moment, translator: Translator
    ) -> Screen | MessageAction:
        """Draw the lobby, and call those who are invited to it."""
        table = moment.table
        if slot.kind is MessageKind.INVITATION and table.has_call:
            shown = moment.message(MessageKind.TABLE, table.game)
            return invitation_screen(table, None, shown, translator)
        if slot.kind is not MessageKind.TABLE:
            return MessageAction.REMOVE
        if table.phase is Phase.CLOSED:
            return lobby.closed_screen(table, translator)
        limits = self._ports[table.room.server.platform].limits
        seal = short_seal(table.seed)
        rule_sets, can_call = await self._rule_sets(table), not (table.has_called or table.is_full)
        gathering = lobby.Gathering(
            self._scheduler.countdown(table),
            self._scheduler.minutes_kept(table),
            can_call and await self._has_company(table),
        )
        screen = lobby.lobby_screen(table, seal, rule_sets, limits, translator, gathering=gathering)
        if not limits.boards:
            return screen
        return replace(screen, board=lobby.lobby_board(table, seal, translator, gathering))

    async def _has_company(self, table: Table) -> bool:
        return bool(await self._calls.company(table.room, table.people(), self._scheduler.now()))

    async def _rule_sets(self, table: Table) -> Sequence[str]:
        return await self._rule_book.names(table.room.server) if table.panel == "preset" else ()

    # --- what one player sees, from the deal to the end of a game -------------------------------------------

    async def _hand_where_it_is(
        self, slot: MessageSlot, user: UserRef, moment: Moment, profile: Profile, translator: Translator
    ) -> Screen | MessageAction:
        """Draw a hand where its player has pressed last; elsewhere, say where it is."""
        table, seat = moment.table, moment.table.seat_of(user)
        message = moment.messages.get(slot)
        is_private, is_shown = slot.kind is MessageKind.HAND, message is not None and message.ref is not None
        is_in_room = moment.message(MessageKind.ROOM_HAND, slot.game, user) is not None
        if seat is None or moment.scene is None or not (is_shown or (is_private and not is_in_room)):
            return MessageAction.REMOVE
        if is_private and self._is_hushed(user, profile):
            return hushed_screen(table, translator) if is_shown else MessageAction.REMOVE
        is_over = moment.ended is not None or table.phase is Phase.CLOSED  # which is said in both places
        if is_private and not is_over and is_in_room:
            return elsewhere_screen(table, moment.message(MessageKind.TABLE, slot.game), translator)
        hand = await self._hand(moment, user, seat, profile, translator)
        is_fading = message is not None and message.is_fading and not is_over
        return headed(fading_line(translator), hand) if is_fading else hand

    def _is_hushed(self, user: UserRef, profile: Profile) -> bool:
        """Whether a person wants no private messages, where the room can show them their cards."""
        can_do_without = self._ports[user.platform].limits.ephemeral_seconds > 0
        return can_do_without and profile.calling is Calling.NEVER

    async def _hand(
        self, moment: Moment, user: UserRef, seat: Seat, profile: Profile, translator: Translator
    ) -> Screen:
        """Draws the hand of a dealt game, or how the game has ended."""
        table, game, scene = moment.table, moment.game, moment.scene
        assert game is not None  # it is dealt
        assert scene is not None
        scene = replace(scene, translator=translator)
        if moment.ended is not None or table.phase is Phase.CLOSED:
            ended = moment.ended or GameEnd(table.game, game.opening, None)
            return await self._ending(moment, ended, seat, translator)
        limits, state, version = self._ports[user.platform].limits, game.state, game.version_for(seat)
        opened = self._opened(table, user, version)
        table_message, heading = moment.message(MessageKind.TABLE, table.game), Line()
        if len(self._tables.known.games_of(user)) > 1:
            heading, table_message = heading_of(scene, table_message), None
        hand, has_left = Hand(scene, state.view_for(seat), version), table.players[seat].has_left
        if has_left or opened.page is None:
            asked = (left_screen if has_left else leaving_screen)(scene)
            screen, note = headed(heading, asked), asked.body
        else:
            hand = replace(
                hand,
                moves=state.legal_moves(seat),
                page=opened.page,
                order=profile.hand_order,
                advice=opened.advice,
                drawn=drawn_by(game.events, seat),
            )
            screen, note = hand_screen(hand, limits, table_message=table_message), ()
            screen = headed(heading, screen) if heading else screen
            if limits.private_pictures and not limits.boards:
                screen = await self._illustrator.hand(screen, hand)
        if not limits.boards:
            return screen
        board = hand_board(hand, note=note)
        return replace(screen, board=replace(board, one_tap=profile.one_tap))

    async def _ending(self, moment: Moment, ended: GameEnd, seat: Seat, translator: Translator) -> Screen:
        """Draw how a game ended for a player; the table is as it was in that game."""
        table, change = moment.table, None
        if ended.outcome is not None:
            change = (await self._changes.get((table.id, ended.game))).get(seat)
        shown = moment.message(MessageKind.TABLE, ended.game)
        user = table.players[seat].user
        is_marked = moment.choices.wants("worn") and bool(
            user and (await self._people.profile(user)).wears_mark
        )
        return ending_screen(table, ended, seat, shown, translator, rating_change=change, is_marked=is_marked)


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


# --- Whose hand has to be noticed ---


QUIET_SECONDS = 60.0  # no phone rings again sooner than this, but for the call in the room

# Who has pressed so short a time ago is looking; a hand that is posted again would jump under the thumb.
PRESENT_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class _Turn:
    """When a player had to act last: whether that is now, in which bout, and when their phone rang for it.

    `is_called`: The table has waited for them until it called them.
    """

    is_now: bool
    bout: int | None
    rang_at: float
    is_called: bool


class Rings:
    """Knows who would miss that it is their turn."""

    def __init__(self, ports: Mapping[str, ChatPort], people: People) -> None:
        self._ports = ports
        self._people = people
        self._turns: dict[tuple[int, int], dict[Seat, _Turn]] = {}

    async def due(self, moment: Moment, game: Game, scene: Scene) -> Sequence[UserRef]:
        """Name the people whose phones ring now, each as they want to be called.

        At once: who has to act in a new bout, after they had not to, and may not be looking. Later: whom the
        table has waited for until it called them.
        """
        table, state, called = moment.table, game.state, list[UserRef]()
        key, waiting = (table.id, table.game), scene.waiting
        if key not in self._turns:
            self.evict(table.id)
        turns, now = self._turns.setdefault(key, {}), game.entries[-1].at
        was_called = moment.message(MessageKind.CALL, table.game) is not None  # before a restart
        for seat, player in enumerate(table.players):
            if player.user is None or player.is_forgotten or self._ports[player.user.platform].limits.boards:
                continue
            # Nobody is rung for a pass that the table makes in a moment.
            is_awaited = seat in state.awaited and seat not in scene.away
            is_now = is_awaited and not (waiting is not None and waiting.moment)
            is_called = is_now and waiting is not None and seat in waiting.called
            bout = state.bouts if is_now else None
            turn = turns.get(seat, _Turn(is_now, bout, now, was_called))  # a hand just posted
            turns[seat] = _Turn(is_now, state.bouts if is_now else turn.bout, turn.rang_at, is_called)
            is_new = is_now and not turn.is_now and turn.bout != state.bouts
            rings = {
                Calling.AT_ONCE: is_new
                and now >= turn.rang_at + QUIET_SECONDS
                and not _is_present(game, seat),
                Calling.LATER: is_called and not turn.is_called,
            }
            if any(rings.values()) and rings.get((await self._people.profile(player.user)).calling):
                called.append(player.user)
                turns[seat] = replace(turns[seat], rang_at=now)
        return called

    def evict(self, table_id: int) -> None:
        """Drop what is known of a table that was evicted."""
        for key in [key for key in self._turns if key[0] == table_id]:
            del self._turns[key]


def _is_present(game: Game, seat: Seat) -> bool:
    own = (each for each in reversed(game.entries) if each.seat == seat and each.author is Author.PLAYER)
    newest = next(own, None)
    return newest is not None and newest.at > game.entries[-1].at - PRESENT_SECONDS
