"""What one player's private message shows, from the deal to the end of a game."""

from collections.abc import Mapping
from dataclasses import replace

from cachetools import LRUCache

from adapters.port import ChatPort, Screen, UserRef
from bot.delivery.illustrator import Illustrator
from bot.delivery.room_hands import RoomHands
from bot.delivery.scenes import Scenes
from bot.locale import Translator
from bot.model.message_slots import MessageAction, MessageKind, MessageSlot
from bot.model.table import Phase, Table
from bot.screens.board import hand_board
from bot.screens.ending import Ended, ending_screen
from bot.screens.hand import (
    elsewhere_screen,
    fading_line,
    hand_screen,
    headed,
    heading_of,
    leaving_screen,
    left_screen,
)
from bot.storage import RecordStore
from engine import Seat
from engine.runtime import GameSession

KEPT_GAMES = 128
"""Games of which it is known what they changed: an end is drawn for each player, and again after it."""


class HandScreens:
    """Draws hands, and what becomes of them."""

    def __init__(
        self,
        *,
        scenes: Scenes,
        room_hands: RoomHands,
        illustrator: Illustrator,
        records: RecordStore,
        ports: Mapping[str, ChatPort],
    ) -> None:
        self._scenes = scenes
        self._room_hands = room_hands
        self._illustrator = illustrator
        self._records = records
        self._ports = ports
        self._changes = LRUCache[tuple[int, int], Mapping[Seat, float]](KEPT_GAMES)

    async def where_it_is(
        self, slot: MessageSlot, user: UserRef, table: Table, session: GameSession, translator: Translator
    ) -> Screen | MessageAction:
        """Draw a hand where its player has pressed last; elsewhere, say where it is."""
        seat = table.seat_of(user)
        if seat is None or not await self._room_hands.has_place_for(slot):
            return MessageAction.REMOVE
        is_over = session.outcome is not None or table.phase is Phase.CLOSED  # which is said in both places
        if slot.kind is MessageKind.HAND and not is_over and await self._room_hands.is_open(slot):
            table_message = await self._scenes.table_message(table, table.game)
            return elsewhere_screen(table, table_message, translator)
        hand = await self.hand(table, session, user, seat, translator)
        is_fading = not is_over and self._room_hands.is_fading(slot)
        return headed(fading_line(translator), hand) if is_fading else hand

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
        """Draw how a game ended for somebody; `table` is as it was in that game."""
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
