"""Renders hands, from the deal to the end of a game."""

from collections.abc import Mapping
from dataclasses import replace

from adapters.port import Chat, Limits, Screen, UserRef
from bot.cache import ReadThroughCache
from bot.delivery.finished_games import FinishedGames
from bot.delivery.illustrator import Illustrator
from bot.delivery.messages import in_room
from bot.delivery.moments import Moment, Moments
from bot.delivery.views import OpenViews
from bot.locale import Translator
from bot.model.buttons import OpenCheating
from bot.model.messages import MessageAction, MessageKind, TableSlot
from bot.model.profile import Calling, Profile
from bot.model.standings import MIN_PEOPLE
from bot.model.table import Phase, Table
from bot.people import People
from bot.screens.board import hand_board
from bot.screens.coaching import coached, coaching_line
from bot.screens.fools_mark import FOOLS_MARK
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
    opened_cheating,
)
from bot.screens.result import GameEnd, ending_screen, own_result
from bot.screens.story import drawn_by, running_bout
from bot.screens.text import Line
from bot.storage import RecordStore
from bot.tables.service import TableService
from engine import Attack, Attacked, Card, Declined, Defended, Done, Drew, Move, Seat, Transferred
from engine.runtime import Author, Game, SessionFrozenError


class Hands:
    """Renders the hands of players for messages, and for the answers of handlers."""

    def __init__(
        self,
        *,
        moments: Moments,
        finished_games: FinishedGames,
        tables: TableService,
        people: People,
        records: RecordStore,
        illustrator: Illustrator,
        ports: Mapping[str, Chat],
        open_views: OpenViews,
    ) -> None:
        self._moments = moments
        self._finished_games = finished_games
        self._tables = tables
        self._people = people
        self._illustrator = illustrator
        self._ports = ports
        self._open_views = open_views
        self._records = records
        # Read once for each game, so that a beginner remains one until its end.
        self._beginners = ReadThroughCache[tuple[int, int], frozenset[UserRef]](self._read_beginners)

    def forget(self, user: UserRef) -> None:
        """Clears the cached beginners, as one of them may be the person to forget."""
        self._beginners.forget_all()

    async def _read_beginners(self, game: tuple[int, int]) -> frozenset[UserRef]:
        return await self._records.beginners((await self._tables.table(game[0])).people())

    async def open(
        self,
        table_id: int,
        user: UserRef,
        *,
        page: int | None = 0,
        limits: Limits | None = None,
        notice: str = "",
        cheating: OpenCheating | None = None,
    ) -> Screen | None:
        """Renders a person's hand in a table's newest game, and keeps this page open; None without a hand.

        Page None asks whether they want to leave. `limits` default to those of the person's chat. A `notice`
        is the first line of the hand in a running game, until the choice of moves changes. `cheating` opens
        the moves against the rules, or the cards at which they can point.

        Raises:
            SessionFrozenError: The record of the cards contradicts itself.
        """
        moment = await self._moments.newest(table_id)
        if moment.session is None:
            raise SessionFrozenError(table_id)

        seat = moment.table.seat_of(user)
        if seat is None or moment.scene is None or moment.game is None:
            return None

        memory = self._moments.memory(table_id)
        hand = memory.open_hand(user, moment.table.game, moment.game.version_for(seat))
        memory.keep_open(user, replace(hand, page=page, notice=notice, cheating=cheating))
        return await self.render(moment, user, seat, limits or self._limits_of(user))

    def advise(self, table: Table, user: UserRef, version: int, move: Move) -> None:
        """Shows advice in a person's hand while their choice of moves is that of `version`."""
        memory = self._moments.memory(table.id)
        hand = memory.open_hand(user, table.game, version)
        memory.keep_open(user, replace(hand, advice=move))

    # --- in messages ----------------------------------------------------------------------------------------

    def before_the_deal(self, slot: TableSlot, moment: Moment) -> MessageAction:
        """Keeps the message in which a player waits for their cards in the room; removes any other.

        The message is kept only while it can still be edited.
        """
        is_seated = slot.user is not None and moment.table.seat_of(slot.user) is not None
        is_in_room = slot.kind is MessageKind.ROOM_HAND and moment.is_shown(slot)
        is_waiting = is_seated and is_in_room and moment.table.phase is Phase.LOBBY
        if is_waiting and not moment.messages[slot].is_fading:
            return MessageAction.KEEP

        return MessageAction.REMOVE

    async def render_where_it_is(
        self, slot: TableSlot, user: UserRef, moment: Moment, profile: Profile, translator: Translator
    ) -> Screen | MessageAction:
        """Renders the hand in the message that its player used last, and a pointer to it in the other."""
        table = moment.table
        seat = table.seat_of(user)
        limits = self._limits_of(user)
        is_shown = moment.is_shown(slot)
        is_over = moment.end is not None or table.phase is Phase.CLOSED

        if seat is None or moment.scene is None:
            return MessageAction.REMOVE

        if slot.kind is MessageKind.ROOM_HAND:
            if not is_shown:
                return MessageAction.REMOVE

            hand = await self.render(moment, user, seat, limits)
            is_fading = moment.messages[slot].is_fading and not is_over
            return headed(fading_line(translator), hand) if is_fading else hand

        is_in_room = moment.is_shown(in_room(slot)) or user in self._moments.memory(table.id).in_answer
        if is_in_room and not is_shown:
            return MessageAction.REMOVE
        if self._is_hushed(user, profile):
            return hushed_screen(table, translator) if is_shown else MessageAction.REMOVE
        if is_in_room and not is_over:  # the end of the game is shown in both messages
            return elsewhere_screen(table, moment.message(MessageKind.TABLE, slot.game), translator)

        return await self.render(moment, user, seat, limits)

    def _is_hushed(self, user: UserRef, profile: Profile) -> bool:
        """Returns whether a person wants no private messages, in a chat that can show cards in the room."""
        can_do_without = self._ports[user.platform].limits.ephemeral_seconds > 0
        return can_do_without and profile.calling is Calling.NEVER

    async def render(self, moment: Moment, user: UserRef, seat: Seat, limits: Limits) -> Screen:
        """Renders the hand of a dealt game, or the end of the game."""
        table = moment.table
        game = moment.game
        scene = moment.scene
        assert game is not None  # it is dealt
        assert scene is not None

        profile, translator = await self._people.reader(user)
        scene = replace(scene, translator=translator)
        if moment.end is not None or table.phase is Phase.CLOSED:
            end = moment.end or GameEnd(table.game, game.opening, None)
            return await self._render_ending(moment, end, seat, translator, limits)

        version = game.version_for(seat)
        open_hand = self._moments.memory(table.id).open_hand(user, table.game, version)
        table_message = moment.message(MessageKind.TABLE, table.game)
        heading = Line()

        plays_elsewhere = len(self._tables.known.games_of(user)) > 1
        if plays_elsewhere:
            room = table.room
            chat = self._ports[room.server.platform].name_of(room.server)
            heading = heading_of(scene, table_message, chat)
            table_message = None

        hand = Hand(scene, game.state.view_for(seat), version, profile=profile)
        has_left = table.players[seat].has_left
        if has_left or open_hand.page is None:
            question = left_screen(scene) if has_left else leaving_screen(scene)
            screen = headed(heading, question)
            if not limits.boards:
                return screen

            return replace(screen, board=hand_board(hand, note=question.body))

        hand = replace(
            hand,
            moves=game.state.fair_moves(seat),
            sly_moves=game.state.sly_moves(seat),
            cheating=open_hand.cheating,
            page=open_hand.page,
            advice=open_hand.advice,
            notice=open_hand.notice,
            new_cards=drawn_by(game.events, seat),
        )
        is_beginner = user in await self._beginners.get((table.id, table.game))
        opened = opened_cheating(hand)
        lesson = coaching_line(hand) if is_beginner and opened is None else Line()
        hand = replace(
            hand,
            passes_in=table.options.moment_for(len(game.state.throw_order)) if is_beginner else 0,
            has_timed_out=_has_timed_out(game, seat),
        )

        live_table = self._open_views.button(table, limits, translator)
        screen = hand_screen(hand, limits, table_message=table_message, live_table=live_table)
        screen = coached(headed(heading, screen), lesson)

        if limits.boards and opened is not None:
            return replace(screen, board=hand_board(replace(hand, moves=()), note=opened[0]))
        if limits.boards:
            return replace(screen, board=hand_board(hand, lesson=lesson))
        if limits.private_pictures:
            return await self._illustrator.hand(screen, hand, limits)

        return screen

    async def render_end_before(
        self, user: UserRef, moment: Moment, end: GameEnd, translator: Translator
    ) -> Screen | MessageAction:
        """Renders the end of the previous game in a hand, until the next game is dealt."""
        table = moment.table
        if end.game != table.game - 1 or self._is_hushed(user, await self._people.profile(user)):
            return MessageAction.KEEP

        earlier = table.at_game_before(end.opening.rules)
        if table.expects(user):
            earlier = earlier.with_phase(Phase.OVER)  # they can still ask for a rematch

        seat = earlier.seat_of(user)
        if seat is None:
            return MessageAction.REMOVE

        limits = self._limits_of(user)
        return await self._render_ending(replace(moment, table=earlier), end, seat, translator, limits)

    async def _render_ending(
        self, moment: Moment, end: GameEnd, seat: Seat, translator: Translator, limits: Limits
    ) -> Screen:
        """Renders the end of a game for a player; `moment.table` must be as it was in that game."""
        table = moment.table
        change = None
        if end.outcome is not None:
            consequences = await self._finished_games.consequences.get((table.id, end.game))
            change = consequences.rating_changes.get(seat)

        table_message = moment.message(MessageKind.TABLE, end.game)
        user = table.players[seat].user
        is_marked = False

        counts = len(table.people()) >= MIN_PEOPLE  # nobody is marked in a game against bots only
        if user is not None and counts and moment.choices.wants(FOOLS_MARK):
            is_marked = (await self._people.profile(user)).wears_mark

        screen = ending_screen(
            table,
            end,
            seat,
            table_message,
            translator,
            rating_change=change,
            is_marked=is_marked,
            live_table=self._open_views.button(table, limits, translator),
        )
        if not limits.boards:
            return screen
        return replace(screen, board=own_result(table, end, seat, translator, rating_change=change))

    def _limits_of(self, user: UserRef) -> Limits:
        return self._ports[user.platform].limits


def _has_timed_out(game: Game, seat: Seat) -> bool:
    """Returns whether the table passed in the newest round of throwing in for a seat with a card to add.

    True until somebody has answered the next attack.
    """
    attacks = 0
    for entry, action in zip(reversed(game.entries), reversed(game.actions), strict=False):
        if isinstance(action, Done):
            if entry.seat == seat:
                return entry.author is Author.AUTO and _had_a_card_to_add(game, seat)
        elif attacks or not isinstance(action, Attack) or entry.seat == seat:
            return False
        else:
            attacks += 1

    return False


def _had_a_card_to_add(game: Game, seat: Seat) -> bool:
    """Returns whether a seat held a card of a rank on the table when it passed last."""
    events = game.events
    passed_at = max(n for n, event in enumerate(events) if isinstance(event, Declined) and event.seat == seat)

    on_table = set[Card]()
    for event in running_bout(events[:passed_at]):
        match event:
            case Attacked(cards=cards) | Transferred(cards=cards):
                on_table.update(cards)
            case Defended(card=card):
                on_table.add(card)

    drawn = [event for event in events[passed_at:] if isinstance(event, Drew) and event.seat == seat]
    new = {card for event in drawn for card in event.cards or ()}
    held = set(game.state.hands[seat]) - new
    return not {card.rank for card in held}.isdisjoint(card.rank for card in on_table)
