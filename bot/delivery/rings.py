"""Rings: new messages with a hand, so that a phone notifies a player of their turn."""

from collections.abc import Collection, Mapping, Sequence

from adapters.port import ChatPort, UserRef
from bot.delivery.memory import TableMemory, Turn
from bot.delivery.moments import Moment
from bot.delivery.views import OpenViews
from bot.model.messages import MessageKind, MessageSlot
from bot.model.people import Calling
from bot.people import People
from bot.screens.story import Scene
from engine import Seat
from engine.runtime import Author, Game

QUIET_SECONDS = 60.0  # the shortest pause between two rings for a player, but for the call in the room

# A player is looking so short a time after a press; a hand posted again would jump under the thumb.
PRESENT_SECONDS = 20.0

NOT_YET = float("-inf")  # the time of the last ring, where nothing has rung in this game


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
        table = moment.table
        state = game.state
        waiting = scene.waiting
        now = game.entries[-1].at
        turns = memory.turns(table.game)
        was_called = moment.message(MessageKind.CALL, table.game) is not None  # before a restart
        has_moment = waiting is not None and bool(waiting.moment)  # the table soon passes for all
        called = list[UserRef]()

        for seat, player in enumerate(table.players):
            user = player.user
            if user is None or player.is_forgotten or self._ports[user.platform].limits.boards:
                continue
            if self._open_views.is_open(table.id, user):
                continue  # they see it; if it is still their turn when the view is closed, it rings then

            is_now = seat in state.awaited and seat not in scene.away and not has_moment
            is_called = is_now and waiting is not None and seat in waiting.called
            bout = state.bouts if is_now else None
            if user in carried_over:
                first = Turn(is_now=False, bout=None, rang_at=NOT_YET, is_called=was_called)
            else:  # a hand was just posted
                first = Turn(is_now, bout, now, was_called)

            before = turns.get(seat, first)
            is_new = is_now and not before.is_now and before.bout != state.bouts
            is_quiet = now < before.rang_at + QUIET_SECONDS
            is_missed = is_new and not is_quiet and not _is_present(game, seat, memory.pressed_at.get(user))
            calling = (await self._people.profile(user)).calling

            hand = MessageSlot(table.id, table.game, MessageKind.ROOM_HAND, user)
            is_unannounced = before.rang_at == NOT_YET
            is_in_room = user in carried_over or moment.is_shown(hand)
            rings_in_room = is_unannounced and is_missed and is_in_room and calling is not Calling.LATER

            if calling is Calling.AT_ONCE:
                rings = is_missed and not rings_in_room
            else:
                rings = calling is Calling.LATER and is_called and not before.is_called
            if rings:
                called.append(user)

            has_begun = is_unannounced and is_new
            still_rings = before.rings_in_room and not _has_moved(game, seat)
            turns[seat] = Turn(
                is_now,
                bout=bout if is_now else before.bout,
                rang_at=now if rings or has_begun else before.rang_at,
                is_called=is_called,
                rings_in_room=rings_in_room or still_rings,
            )

        return called


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
