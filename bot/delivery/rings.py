"""Rings: new messages with a hand, so that a phone notifies a player of their turn."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from adapters.port import ChatPort, UserRef
from bot.delivery.memory import Turn
from bot.delivery.moments import Moment
from bot.delivery.views import OpenViews
from bot.model.messages import MessageKind
from bot.model.people import Calling
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
        self, moment: Moment, game: Game, scene: Scene, turns: dict[Seat, Turn]
    ) -> Sequence[UserRef]:
        """Returns the people whose phones ring now, by their own choice; updates the `turns` of the game.

        At once: players with a turn in a new bout that may not be looking. Later: players whom the
        table has called in the room.
        """
        table = moment.table
        state = game.state
        waiting = scene.waiting
        now = game.entries[-1].at
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
            before = turns.get(seat, Turn(is_now, bout, now, was_called))  # a hand was just posted
            began_in = bout if is_now else before.bout
            turns[seat] = Turn(is_now, began_in, before.rang_at, is_called)

            calling = (await self._people.profile(user)).calling
            if calling is Calling.AT_ONCE:
                is_new = is_now and not before.is_now and before.bout != state.bouts
                is_quiet = now < before.rang_at + QUIET_SECONDS
                rings = is_new and not is_quiet and not _is_present(game, seat)
            else:
                rings = calling is Calling.LATER and is_called and not before.is_called

            if rings:
                called.append(user)
                turns[seat] = replace(turns[seat], rang_at=now)

        return called


def _is_present(game: Game, seat: Seat) -> bool:
    """Returns whether a player has pressed a short time ago."""
    for entry in reversed(game.entries):
        if entry.seat == seat and entry.author is Author.PLAYER:
            return entry.at > game.entries[-1].at - PRESENT_SECONDS
    return False
