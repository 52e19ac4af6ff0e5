"""Rings: new messages with a hand, so that a phone notifies a player of their turn."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from adapters.port import ChatPort, UserRef
from bot.delivery.memory import NOT_YET, TableMemory, Turn
from bot.delivery.moments import Moment
from bot.delivery.views import OpenViews
from bot.model.messages import MessageKind, TableSlot
from bot.model.profile import Calling
from bot.model.table import Table
from bot.people import People
from bot.screens.story import Scene
from engine import Seat
from engine.runtime import Author, Game

QUIET_SECONDS = 60.0  # the shortest pause between two rings for a player, but for the call in the room

# A player is looking so short a time after a press; a hand posted again would jump under the thumb.
PRESENT_SECONDS = 20.0


class Rings:
    """Finds the players that would miss their turn without a ring."""

    def __init__(self, ports: Mapping[str, ChatPort], people: People, open_views: OpenViews) -> None:
        self._ports = ports
        self._people = people
        self._open_views = open_views

    async def due(
        self,
        moment: Moment,
        game: Game,
        scene: Scene,
        memory: TableMemory,
        carried_over: Collection[UserRef],
    ) -> Sequence[UserRef]:
        """Returns the people whose phones ring now, by their own choice; updates the turns in `memory`.

        At once: players with a turn in a new bout that may not be looking. Later: players whom the
        table has called in the room.

        Nothing has announced the game to people whose hand was `carried_over` in the room. At their first
        turn the room itself calls them, unless they may be looking.
        """
        situation = _Situation(moment, game, scene, memory, carried_over)
        turns = memory.turns(moment.table.game)
        ringing = list[UserRef]()

        for seat, user in self._people_to_ring(moment.table):
            before = turns.get(seat) or situation.first_turn(seat, user)
            turn = situation.next_turn(seat, before)
            is_missed = situation.is_missed(seat, user, before, turn)
            is_unannounced = situation.is_unannounced(user, before)
            calling = (await self._people.profile(user)).calling

            if is_missed and is_unannounced and calling is not Calling.LATER:
                turn = replace(turn, rings_in_room=True)
            elif _rings(calling, before, turn, is_missed=is_missed):
                turn = replace(turn, rang_at=situation.now)
                ringing.append(user)

            turns[seat] = turn

        return ringing

    def _people_to_ring(self, table: Table) -> Iterator[tuple[Seat, UserRef]]:
        """Yields the players that are not looking at the table all the time."""
        for seat, player in enumerate(table.players):
            user = player.user
            if user is None or player.is_forgotten or self._ports[user.platform].limits.boards:
                continue
            if self._open_views.is_open(table.id, user):
                continue  # they see it; if it is still their turn when the view is closed, it rings then

            yield seat, user


@dataclass(frozen=True, slots=True)
class _Situation:
    """A moment of a game, compared with the turns that its players had before it."""

    moment: Moment
    game: Game
    scene: Scene
    memory: TableMemory
    carried_over: Collection[UserRef]

    @property
    def now(self) -> float:
        """When the newest move was made."""
        return self.game.entries[-1].at

    def first_turn(self, seat: Seat, user: UserRef) -> Turn:
        """Returns the turn that a player had before, if none is in the memory.

        A hand that was just posted has shown its player whether it is their turn.
        """
        call = self.moment.message(MessageKind.CALL, self.moment.table.game)
        was_called = call is not None  # before a restart
        if user in self.carried_over:
            return Turn(is_now=False, bout=None, rang_at=NOT_YET, is_called=was_called)

        is_now = self._is_turn(seat)
        bout = self.game.state.bouts if is_now else None
        return Turn(is_now, bout, self.now, was_called)

    def next_turn(self, seat: Seat, before: Turn) -> Turn:
        """Returns the turn of a player that follows the one before, without a new ring."""
        is_now = self._is_turn(seat)
        turn = replace(
            before,
            is_now=is_now,
            bout=self.game.state.bouts if is_now else before.bout,
            is_called=is_now and self._is_called(seat),
            rings_in_room=before.rings_in_room and not _has_moved(self.game, seat),
        )

        is_first = before.is_of_unannounced_game and _is_new(before, turn)
        if is_first:  # from here on the player knows of the game, whether the room calls or they are looking
            return replace(turn, rang_at=self.now)

        return turn

    def is_missed(self, seat: Seat, user: UserRef, before: Turn, turn: Turn) -> bool:
        """Returns whether a player may not notice a new turn, and no ring came a short time ago."""
        is_quiet = self.now < before.rang_at + QUIET_SECONDS
        is_present = _is_present(self.game, seat, self.memory.pressed_at.get(user))
        return _is_new(before, turn) and not is_quiet and not is_present

    def is_unannounced(self, user: UserRef, before: Turn) -> bool:
        """Returns whether a player's hand is in the room, where nothing has told them of this game."""
        table = self.moment.table
        hand = TableSlot(table.id, table.game, MessageKind.ROOM_HAND, user)
        is_in_room = user in self.carried_over or self.moment.is_shown(hand)
        return is_in_room and before.is_of_unannounced_game

    def _is_turn(self, seat: Seat) -> bool:
        """Returns whether the table waits for a player, for more than a moment."""
        waiting = self.scene.waiting
        has_moment = waiting is not None and bool(waiting.moment)  # the table soon passes for all
        return seat in self.game.state.awaited and seat not in self.scene.away and not has_moment

    def _is_called(self, seat: Seat) -> bool:
        """Returns whether the table has called a player in the room."""
        waiting = self.scene.waiting
        return waiting is not None and seat in waiting.called_seats


def _rings(calling: Calling, before: Turn, turn: Turn, *, is_missed: bool) -> bool:
    """Returns whether a hand rings by its player's own choice."""
    match calling:
        case Calling.BY_CHAT | Calling.AT_ONCE:
            return is_missed
        case Calling.LATER:
            return turn.is_called and not before.is_called
        case Calling.TABLE | Calling.NEVER:
            return False


def _is_new(before: Turn, turn: Turn) -> bool:
    """Returns whether a turn has begun in another bout than the one before."""
    return turn.is_now and not before.is_now and turn.bout != before.bout


def _is_present(game: Game, seat: Seat, pressed_at: float | None) -> bool:
    """Returns whether a player has pressed a short time ago, in this game or before its deal."""
    latest = game.entries[-1].at
    if pressed_at is not None and pressed_at > latest - PRESENT_SECONDS:
        return True

    for entry in reversed(game.entries):
        if entry.seat == seat and entry.author is Author.PLAYER:
            return entry.at > latest - PRESENT_SECONDS
    return False


def _has_moved(game: Game, seat: Seat) -> bool:
    """Returns whether a move was made for a seat in this game."""
    return any(entry.seat == seat for entry in game.entries)
