"""Rings: hands posted as new messages, so that a phone notifies its player of their turn."""

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

QUIET_SECONDS = 60.0  # the shortest pause between two rings for a player; calls in the room do not count

# For this long after a press a player is assumed to be looking; a new message would move under their thumb.
PRESENT_SECONDS = 20.0


class Rings:
    """Finds the players who would miss their turn without a ring."""

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
        """Returns the people whose phones ring now, as they have chosen; updates the turns in `memory`.

        Players who want to be called at once ring when they have a turn in a new bout and may not be looking.
        Players who prefer it later ring once the table has called them in the room.

        People whose hand was `carried_over` in the room were never notified of the game. At their first turn
        the room itself calls them, unless they are presumably looking.
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
        """Yields the people who do not have the table on a page or in a view."""
        for seat, player in enumerate(table.players):
            user = player.user
            if user is None or player.is_forgotten or self._ports[user.platform].limits.boards:
                continue
            if self._open_views.is_open(table.id, user):
                continue  # they see their turn; if it lasts until the view is closed, it rings then

            yield seat, user


@dataclass(frozen=True, slots=True)
class _Situation:
    """A moment of a game, for comparison with the players' previous turns."""

    moment: Moment
    game: Game
    scene: Scene
    memory: TableMemory
    carried_over: Collection[UserRef]

    @property
    def now(self) -> float:
        """When the newest move was made, in Unix seconds."""
        return self.game.entries[-1].at

    def first_turn(self, seat: Seat, user: UserRef) -> Turn:
        """Returns the previous turn of a player for whom the memory has none.

        Their hand counts as just posted, so they know whether it is their turn; not if it was carried over.
        """
        call = self.moment.message(MessageKind.CALL, self.moment.table.game)
        was_called = call is not None  # before a restart
        if user in self.carried_over:
            return Turn(is_now=False, bout=None, rang_at=NOT_YET, is_called=was_called)

        is_now = self._is_turn(seat)
        bout = self.game.state.bouts if is_now else None
        return Turn(is_now, bout, self.now, was_called)

    def next_turn(self, seat: Seat, before: Turn) -> Turn:
        """Returns a player's turn that follows the previous one, without a new ring."""
        is_now = self._is_turn(seat)
        turn = replace(
            before,
            is_now=is_now,
            bout=self.game.state.bouts if is_now else before.bout,
            is_called=is_now and self._is_called(seat),
            rings_in_room=before.rings_in_room and not _has_moved(self.game, seat),
        )

        is_first = before.is_of_unannounced_game and _is_new(before, turn)
        if is_first:  # from now on the player knows of the game: the room calls, or they are looking
            return replace(turn, rang_at=self.now)

        return turn

    def is_missed(self, seat: Seat, user: UserRef, before: Turn, turn: Turn) -> bool:
        """Returns whether a player might miss a new turn, and did not get a ring recently."""
        is_quiet = self.now < before.rang_at + QUIET_SECONDS
        is_present = _is_present(self.game, seat, self.memory.pressed_at.get(user))
        return _is_new(before, turn) and not is_quiet and not is_present

    def is_unannounced(self, user: UserRef, before: Turn) -> bool:
        """Returns whether a player's hand is in the room, and nothing has notified them of this game."""
        table = self.moment.table
        hand = TableSlot(table.id, table.game, MessageKind.ROOM_HAND, user)
        is_in_room = user in self.carried_over or self.moment.is_shown(hand)
        return is_in_room and before.is_of_unannounced_game

    def _is_turn(self, seat: Seat) -> bool:
        """Returns whether the table waits for a player, and will not pass for them in a moment."""
        waiting = self.scene.waiting
        has_moment = waiting is not None and bool(waiting.moment)  # the table soon passes for all
        return seat in self.game.state.awaited and seat not in self.scene.away and not has_moment

    def _is_called(self, seat: Seat) -> bool:
        """Returns whether the table has called a player in the room."""
        waiting = self.scene.waiting
        return waiting is not None and seat in waiting.called_seats


def _rings(calling: Calling, before: Turn, turn: Turn, *, is_missed: bool) -> bool:
    """Returns whether a hand rings, by its player's choice."""
    match calling:
        case Calling.BY_CHAT | Calling.AT_ONCE:
            return is_missed
        case Calling.LATER:
            return turn.is_called and not before.is_called
        case Calling.TABLE | Calling.NEVER:
            return False


def _is_new(before: Turn, turn: Turn) -> bool:
    """Returns whether a turn has begun, in another bout than the previous one."""
    return turn.is_now and not before.is_now and turn.bout != before.bout


def _is_present(game: Game, seat: Seat, pressed_at: float | None) -> bool:
    """Returns whether a player pressed a button or moved within the last `PRESENT_SECONDS`."""
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
