"""What each message of a table should show, as a function of the table's newest state."""

from collections.abc import Mapping

from adapters.port import Audience, ChatPort, Everyone, Only, Screen
from bot.deadlines import Deadlines
from bot.doors import Doors
from bot.lobby import Lobby, Phase
from bot.locale import Voice
from bot.parlour import Parlour
from bot.screens.call import call_screen
from bot.screens.hand import hand_over_screen, hand_screen
from bot.screens.lobby import closed_screen, frozen_screen, lobby_screen
from bot.screens.people import names_of
from bot.screens.result import result_screen
from bot.screens.scene import Scene
from bot.screens.table import table_screen
from bot.surface import Kind, Surface
from engine import seed_hash
from engine.runtime import Table, TableFrozen


class Stage:
    """Draws tables; the outbox sends what it says."""

    def __init__(
        self, parlour: Parlour, deadlines: Deadlines, doors: Doors, ports: Mapping[str, ChatPort]
    ) -> None:
        self._parlour = parlour
        self._deadlines = deadlines
        self._doors = doors
        self._ports = ports

    async def places(self, table: int) -> Mapping[Surface, Audience]:
        """Name every surface of the table's newest game, shown or not, and who sees it."""
        lobby = await self._parlour.lobby(table)
        everyone = Everyone(lobby.room)
        public = {Surface(table, lobby.game, kind): everyone for kind in (Kind.TABLE, Kind.CALL, Kind.RESULT)}
        hands = {
            Surface(table, lobby.game, Kind.HAND, user): Only(user, lobby.room) for user in lobby.people()
        }
        return {**public, **hands}

    async def screen(self, surface: Surface) -> Screen | None:
        """Say what a surface of the newest game shows; None: nothing, it should not be there."""
        lobby = await self._parlour.lobby(surface.table)
        voice = Voice(lobby.locale)
        if surface.game != lobby.game:
            return None
        try:
            cards = await self._parlour.cards(surface.table)
        except TableFrozen:
            return frozen_screen(lobby, voice) if surface.kind is Kind.TABLE else None
        if cards.state is None or cards.game != lobby.game:
            return _before_the_deal(lobby, voice) if surface.kind is Kind.TABLE else None
        scene = self.scene(lobby, cards)
        match surface.kind:
            case Kind.TABLE:
                return closed_screen(lobby, voice) if _is_stopped(scene) else table_screen(scene, voice)
            case Kind.CALL:
                return call_screen(scene, self._deadlines.called_seats(lobby, cards), voice)
            case Kind.RESULT:
                outcome = scene.view.outcome
                return None if outcome is None else result_screen(scene, outcome, voice)
            case Kind.HAND:
                if surface.user is None:
                    raise ValueError(surface)
                return self._hand(scene, cards, Only(surface.user, lobby.room), voice)

    async def hand(self, lobby: Lobby, seat: int, *, page: int = 0) -> Screen:
        """Draw the hand of one seat of a running or finished game."""
        cards = await self._parlour.cards(lobby.id)
        user = lobby.sitters[seat].user
        if user is None:
            raise ValueError(seat)
        return self._hand(self.scene(lobby, cards), cards, Only(user, lobby.room), Voice(lobby.locale), page)

    def scene(self, lobby: Lobby, cards: Table) -> Scene:
        """Gather what the public sees of a dealt game."""
        if cards.state is None:
            raise ValueError(lobby.id)
        seen = (event.seen_by(None) for event in cards.events)
        unreachable = {
            seat
            for seat, sitter in enumerate(lobby.sitters)
            if sitter.user is not None and not self._doors.is_open(Only(sitter.user, lobby.room))
        }
        return Scene(
            lobby=lobby,
            names=names_of(lobby.sitters),
            version=cards.version,
            view=cards.state.public_view(),
            events=tuple(event for event in seen if event is not None),
            away=self._deadlines.stand_ins(lobby, cards),
            unreachable=frozenset(unreachable),
            seed_hash=seed_hash(lobby.seed),
        )

    def _hand(self, scene: Scene, cards: Table, reader: Only, voice: Voice, page: int = 0) -> Screen:
        seat = scene.lobby.seat_of(reader.user)
        if cards.state is None or seat is None or scene.lobby.phase is not Phase.PLAYING:
            return hand_over_screen(scene, voice)
        limits = self._ports[reader.user.platform].limits
        moves = cards.state.legal_moves(seat)
        return hand_screen(scene, cards.state.view_for(seat), moves, limits, voice, page=page)


def _before_the_deal(lobby: Lobby, voice: Voice) -> Screen:
    if lobby.phase is Phase.CLOSED:
        return closed_screen(lobby, voice)
    return lobby_screen(lobby, seed_hash(lobby.seed), voice)


def _is_stopped(scene: Scene) -> bool:
    return scene.lobby.phase is Phase.CLOSED and scene.view.outcome is None
