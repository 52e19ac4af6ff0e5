"""Renders each message of a table from the table's newest state."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from adapters.port import Chat, Limits, Multilingual, RoomRef, Screen, UserRef, View
from bot.delivery.extras import Extras
from bot.delivery.finished_games import FinishedGames
from bot.delivery.hands import Hands
from bot.delivery.illustrator import Illustrator
from bot.delivery.messages import in_room
from bot.delivery.moments import Moment, Moments
from bot.delivery.places import Places
from bot.delivery.portraits import Portraits
from bot.delivery.views import OpenViews
from bot.locale import Translator
from bot.model.messages import HANDS, MessageAction, MessageKind, Place, ScreenSource, Subject, TableSlot
from bot.model.table import ANNOUNCEMENT, Phase, Table
from bot.people import People
from bot.pictures.subjects import EndPicture, TablePicture
from bot.screens import lobby
from bot.screens.board import board_of
from bot.screens.calls import invitation_screen
from bot.screens.result import game_result, result_screen
from bot.screens.review import review_screen
from bot.screens.story import Scene
from bot.screens.table import host_screen, table_screen
from bot.screens.text import in_hand_order
from bot.screens.turn_call import call_screen
from bot.storage import CallStore
from bot.tables.reviews import Reviews
from bot.tables.rule_book import RuleBook
from bot.tables.scheduler import Scheduler
from engine import Card, Outcome, short_seal
from engine.runtime import Game, SessionFrozenError


class Presenter(ScreenSource[TableSlot]):
    """Renders the messages of tables for the outbox, and whole tables for views."""

    def __init__(
        self,
        *,
        moments: Moments,
        places: Places,
        hands: Hands,
        finished_games: FinishedGames,
        scheduler: Scheduler,
        rule_book: RuleBook,
        people: People,
        reviews: Reviews,
        illustrator: Illustrator,
        portraits: Portraits,
        calls: CallStore,
        ports: Mapping[str, Chat],
        open_views: OpenViews,
        extras: Extras,
    ) -> None:
        self._moments = moments
        self._places = places
        self._hands = hands
        self._finished_games = finished_games

        self._scheduler = scheduler
        self._rule_book = rule_book
        self._people = people
        self._reviews = reviews
        self._illustrator = illustrator
        self._portraits = portraits
        self._calls = calls

        self._ports = ports
        self._open_views = open_views
        self._extras = extras

    # --- for the outbox: the messages of a table ------------------------------------------------------------

    async def places(self, subject: Subject) -> Mapping[TableSlot, Place]:
        """Returns the places of a table's messages."""
        return await self._places.of(subject)

    def version(self, subject: Subject) -> int | None:
        """Returns the public version of a table's game, from its cached moment; None if there is none."""
        moment = self._moments.known(subject.number)
        return None if moment is None or moment.session is None else moment.session.seen_version

    async def note_shown(self, slot: TableSlot, version: int | None) -> None:
        """Starts the clock of players who now see their turn, in their hand or, without one, at the table."""
        moment = self._moments.known(slot.table_id)
        if moment is None or version is None or slot.game != moment.table.game:
            return  # the hand shows the end of the previous game

        users = [slot.user] if slot.user is not None else []
        hands = {
            user: TableSlot(slot.table_id, slot.game, MessageKind.HAND, user)
            for user in moment.table.people()
        }
        with_room_hand = {user for user, hand in hands.items() if moment.is_shown(in_room(hand))}
        if slot.kind is MessageKind.ROOM_HAND:  # the message of a new game may not be recorded yet
            with_room_hand.update(users)
        if slot.kind is MessageKind.TABLE:
            for user, hand in hands.items():
                if not moment.is_shown(hand) and user not in with_room_hand:
                    users.append(user)

        self._scheduler.note_shown(slot.table_id, version, users, in_room=with_room_hand)

    async def screen(self, slot: TableSlot) -> Screen | MessageAction:
        """Renders a slot, or returns what else to do with its message."""
        if slot.kind is MessageKind.REVIEW and slot.user is not None:
            findings = self._reviews.findings(slot)
            translator = await self._people.translator_for(slot.user)
            return MessageAction.KEEP if findings is None else review_screen(slot.game, findings, translator)

        user = slot.user
        if user is not None and slot.kind in HANDS and self._open_views.is_open(slot.table_id, user):
            return MessageAction.KEEP  # until the person's view is closed

        moment = await self._moments.newest(slot.table_id)
        if slot.user is None:
            return await self._in_all_languages(slot, moment)

        profile, translator = await self._people.reader(slot.user)
        screen = await self._common(slot, moment, translator, self._limits_in_room(moment.table))
        if screen is not None:
            return screen
        return await self._hands.render_where_it_is(slot, slot.user, moment, profile, translator)

    async def _in_all_languages(self, slot: TableSlot, moment: Moment) -> Screen | MessageAction:
        """Renders a public message in its table's language, and in those of its readers if the chat can."""
        table = moment.table
        platform = table.room.server.platform
        chat = self._ports[platform]
        limits = self._limits_in_room(table)

        own = self._people.translator(table.locale, platform)
        screen = await self._in_language(slot, moment, own, limits)
        if not isinstance(screen, Screen) or not isinstance(chat, Multilingual):
            return screen

        translations = list[tuple[str, Screen]]()
        for language in sorted({*chat.languages_in(table.room)} - {own.locale}):
            translator = self._people.translator(language, platform)
            other = await self._in_language(slot, moment, translator, replace(limits, pictures=False))
            if isinstance(other, Screen):
                translations.append((language, other))

        return replace(screen, translations=tuple(translations))

    async def _in_language(
        self, slot: TableSlot, moment: Moment, translator: Translator, limits: Limits
    ) -> Screen | MessageAction:
        """Renders a public message in one language."""
        screen = await self._common(slot, moment, translator, limits)
        if screen is not None or moment.scene is None:
            return screen or MessageAction.REMOVE
        return await self._public(slot.kind, moment, replace(moment.scene, translator=translator), limits)

    async def _common(
        self, slot: TableSlot, moment: Moment, translator: Translator, limits: Limits
    ) -> Screen | MessageAction | None:
        """Renders a slot outside a dealt game, for any reader; None if the newest game is to be shown."""
        table = moment.table
        if moment.session is None:
            return self._unreadable(slot, table, limits, translator)

        if slot.game != table.game:
            return await self._render_past_game(slot, moment, translator, limits)
        if table.game == ANNOUNCEMENT:
            return await self._render_announcement(slot.kind, moment, translator)

        if moment.has_lost_moves:
            return MessageAction.KEEP
        if moment.scene is None:
            return await self._before_the_deal(slot, moment, translator, limits)

        return None

    def _limits_in_room(self, table: Table) -> Limits:
        """Returns the limits of public messages; a private chat has no calls and no folded buttons."""
        platform = table.room.server.platform
        port = self._ports[platform]
        is_known = table.opener.platform == platform
        is_private = is_known and port.private_server(table.opener) == table.room.server
        return replace(port.limits, can_call=False, folds_buttons=False) if is_private else port.limits

    def _limits_of(self, where: RoomRef | UserRef) -> Limits:
        """Returns the limits of the chat of a room or a person."""
        platform = where.server.platform if isinstance(where, RoomRef) else where.platform
        return self._ports[platform].limits

    def _has_films(self, room: RoomRef) -> bool:
        """Returns whether results offer to post a film of the game; the page has replays instead."""
        limits = self._limits_of(room)
        return limits.documents and not (limits.boards or limits.only_answers)

    def _unreadable(
        self, slot: TableSlot, table: Table, limits: Limits, translator: Translator
    ) -> Screen | MessageAction:
        """Renders a message of a table whose cards cannot be read."""
        if slot.game != table.game:
            return MessageAction.KEEP
        if slot.kind is not MessageKind.TABLE:
            return MessageAction.REMOVE
        if table.phase is Phase.CLOSED:
            return lobby.closed_screen(table, limits, translator)

        return lobby.frozen_screen(table, translator)

    # --- for views: a whole table for one person ------------------------------------------------------------

    async def view(self, table_id: int, user: UserRef, limits: Limits) -> View:
        """Renders the newest state of a table for one person's view, within the view's limits.

        Panels that are open in the chat are not shown in the view.
        """
        moment = await self._moments.newest(table_id)
        translator = await self._people.translator_for(user)
        table = replace(moment.table, panel=None)
        scene = None
        if moment.scene is not None:
            scene = replace(moment.scene, table=table, translator=translator)

        moment = replace(moment, table=table, scene=scene)
        seat = table.seat_of(user)
        is_away = seat is None  # players are already at the table, and cannot be called to it
        limits_here = replace(limits, can_call=limits.can_call and is_away)
        screen = self._portraits.beside_seats(await self._table_in_view(moment, translator, limits_here))

        if scene is None or moment.session is None:
            return View(screen)

        result = None
        if moment.end is not None:
            content = await self._public(MessageKind.RESULT, moment, scene, limits)
            result = self._portraits.beside_seats(content) if isinstance(content, Screen) else None

        if seat is None:
            return View(screen, result=result)

        hand = await self._hands.render(moment, user, seat, limits)
        return View(screen, hand, result)

    async def _table_in_view(self, moment: Moment, translator: Translator, limits: Limits) -> Screen:
        """Renders the public message of a table for a view."""
        table = moment.table
        slot = TableSlot(table.id, table.game, MessageKind.TABLE)
        content = await self._in_language(slot, moment, translator, limits)
        return content if isinstance(content, Screen) else lobby.closed_screen(table, limits, translator)

    def note_seen(self, table_id: int, user: UserRef, version: int) -> None:
        """Starts the clock of a player who sees their turn at this version in a view."""
        self._scheduler.note_shown(table_id, version, [user])

    # --- for handlers: the parts of an answer to one person -------------------------------------------------

    async def panel(self, table: Table, reader: UserRef, translator: Translator, limits: Limits) -> Screen:
        """Renders the open panel of a table for a reader: the settings before the deal, then the host's.

        Raises:
            SessionFrozenError: The record of the cards contradicts itself.
        """
        moment = await self._moments.newest(table.id)
        if moment.session is None:
            raise SessionFrozenError(table.id)
        if table.phase is Phase.CLOSED:
            return lobby.closed_screen(table, limits, translator)

        if moment.scene is not None:
            scene = replace(moment.scene, table=table, translator=translator)
            return host_screen(scene, limits, table.seat_of(reader))

        return lobby.settings_screen(table, await self._rule_sets(table), limits, translator)

    async def more_of_lobby(self, table: Table, translator: Translator, limits: Limits) -> Screen:
        """Renders, for one person, the buttons that the lobby has no room for."""
        if table.phase is not Phase.LOBBY:
            return lobby.closed_screen(table, limits, translator)
        return lobby.more_screen(table, await self._gathering(table), limits, translator)

    # --- public messages ------------------------------------------------------------------------------------

    async def _public(
        self, kind: MessageKind, moment: Moment, scene: Scene, limits: Limits
    ) -> Screen | MessageAction:
        """Renders a public message of a dealt game."""
        match kind:
            case MessageKind.TABLE if limits.only_answers and scene.view.outcome is not None:
                return await self._render_result(moment, scene, limits)
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
        is_called_off = table.phase is Phase.CLOSED and scene.view.outcome is None
        if is_called_off:
            return lobby.closed_screen(table, limits, translator)

        extras = self._extras.of_table(scene, moment.choices)
        live_table = self._open_views.button(table, limits, translator)

        screen = table_screen(scene, limits, extras=extras, live_table=live_table)
        if limits.boards:
            return replace(screen, board=board_of(scene))

        picture = TablePicture(scene.view, scene.names, scene.away)
        return await self._illustrator.beside(screen, picture, table.room.server, limits, translator)

    def _render_call(self, moment: Moment, scene: Scene, limits: Limits) -> Screen | MessageAction:
        """Renders the call to the players whose move it is; at night an existing call stays as it is."""
        table = scene.table
        waiting = scene.waiting
        if waiting is not None and waiting.call is not None and waiting.is_hushed:
            is_shown = moment.message(MessageKind.CALL, table.game) is not None
            is_anybody_here = bool(waiting.seats - scene.gone)
            return MessageAction.KEEP if is_shown and is_anybody_here else MessageAction.REMOVE

        turns = self._moments.memory(table.id).turns(table.game)
        screen = call_screen(
            scene,
            at_once={seat for seat, turn in turns.items() if turn.rings_in_room},
            table_message=moment.message(MessageKind.TABLE, table.game),
            offers_hand=not limits.boards,
            can_show_hands=self._ports[table.room.server.platform].shows_alone_in(table.room),
        )
        return screen or MessageAction.REMOVE

    async def _render_result(self, moment: Moment, scene: Scene, limits: Limits) -> Screen | MessageAction:
        """Renders the result of a finished game."""
        table = scene.table
        outcome = scene.view.outcome
        translator = scene.translator
        if outcome is None or moment.game is None:
            return MessageAction.REMOVE

        extras = await self._extras.of_result(scene, moment.game, outcome, moment.choices)
        consequences = await self._finished_games.consequences.get((table.id, table.game))
        left = _fools_hand(moment.game, outcome)
        screen = result_screen(
            scene,
            outcome,
            moment.game.opening,
            fools_hand=left,
            extras=extras,
            has_film=self._has_films(table.room),
            can_call=limits.can_call,
            folds_buttons=limits.folds_buttons,
            has_more=consequences.has_more,
            live_table=self._open_views.button(table, limits, translator),
        )
        if limits.boards:
            result = game_result(
                scene,
                outcome,
                moment.game.opening,
                fools_hand=left,
                extras=extras,
                has_more=consequences.has_more,
            )
            screen = replace(screen, board=board_of(scene, left, result))

        portraits = tuple(self._portraits.of(player.user) for player in table.players)
        picture = EndPicture.of(scene.names, outcome, table.rules, left, portraits)
        return await self._illustrator.beside(screen, picture, table.room.server, limits, translator)

    async def _render_past_game(
        self, slot: TableSlot, moment: Moment, translator: Translator, limits: Limits
    ) -> Screen | MessageAction:
        """Renders the end of the previous game; tables and results of earlier games stay as they are.

        In a slow chat a rematch may begin before all messages show the end.
        """
        memory = self._moments.memory(slot.table_id)
        end = memory.end
        if slot.kind in {MessageKind.CALL, MessageKind.INVITATION} or slot.game == ANNOUNCEMENT:
            return MessageAction.REMOVE
        if end is None or end.game != slot.game:
            return MessageAction.KEEP

        if slot.user is None:
            if end.table is None or memory.finished is None:
                return MessageAction.KEEP

            then = replace(moment, table=end.table, game=memory.finished)
            scene = replace(self._moments.scene(then, memory.finished), translator=translator)
            return await self._public(slot.kind, then, scene, limits)

        return await self._hands.render_end_before(slot.user, moment, end, translator)

    async def _render_announcement(
        self, kind: MessageKind, moment: Moment, translator: Translator
    ) -> Screen | MessageAction:
        """Renders an announced table or the call to its people; removes both once the table has opened."""
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

        table_message = moment.message(MessageKind.TABLE, table.game)
        return invitation_screen(table, replace(time, link=table_message), table_message, translator)

    async def _before_the_deal(
        self, slot: TableSlot, moment: Moment, translator: Translator, limits: Limits
    ) -> Screen | MessageAction:
        """Renders the lobby, the call to invited people, or a closed table."""
        table = moment.table
        if slot.kind is MessageKind.INVITATION and table.has_call:
            table_message = moment.message(MessageKind.TABLE, table.game)
            return invitation_screen(table, None, table_message, translator)

        if slot.user is not None:
            return self._hands.before_the_deal(slot, moment)
        if slot.kind is not MessageKind.TABLE:
            return MessageAction.REMOVE
        if table.phase is Phase.CLOSED:
            return lobby.closed_screen(table, limits, translator)

        seal = short_seal(table.seed)
        rule_sets = await self._rule_sets(table)
        gathering = await self._gathering(table)
        screen = lobby.lobby_screen(
            table,
            seal,
            rule_sets,
            limits,
            translator,
            gathering=gathering,
            live_table=self._open_views.button(table, limits, translator),
        )

        if not limits.boards:
            return screen

        return replace(screen, board=lobby.lobby_board(table, seal, translator, gathering))

    async def _gathering(self, table: Table) -> lobby.Gathering:
        can_call = not (table.has_called or table.is_full)
        schedule = self._scheduler.schedule(table)
        return lobby.Gathering(
            schedule.countdown,
            schedule.minutes_kept,
            can_call and await self._has_company(table),
        )

    async def _has_company(self, table: Table) -> bool:
        return bool(await self._calls.company(table.room, table.people(), self._scheduler.now()))

    async def _rule_sets(self, table: Table) -> Sequence[str]:
        return await self._rule_book.names(table.room.server) if table.panel == "preset" else ()


def _fools_hand(game: Game, outcome: Outcome) -> Sequence[Card]:
    """Returns the cards left in the fool's hand; empty if a finished game has no fool."""
    if outcome.fool is None:
        return ()
    return in_hand_order(game.state.view_for(outcome.fool))
