"""`/hint` and its button: what an expert would do in somebody's place."""

from adapters.port import Command, Reply, Screen, User
from bot.delivery.presenter import Presenter
from bot.locale import Translator
from bot.model.table import Table
from bot.screens import refusals
from bot.screens.hand import advice_line
from bot.screens.redirects import invitation_screen
from bot.tables.house_players import ADVISER, HousePlayers
from bot.tables.service import TableService
from engine import Move, Seat, State
from engine.runtime import GameSession


class Hints:
    """Lets a house player think for people, from what they may know themselves."""

    def __init__(self, tables: TableService, presenter: Presenter, house_players: HousePlayers) -> None:
        self._tables = tables
        self._presenter = presenter
        self._house_players = house_players

    async def reply(self, command: Command, translator: Translator) -> Reply:
        """Advise somebody at the first table that waits for them, those in this room before others."""
        for table in await self._tables.tables_of(command.user.ref, near=command.room):
            session, seat = await self._tables.session(table.id), table.seat_of(command.user.ref)
            state = session.state
            if state is None or seat is None or not state.legal_moves(seat):
                continue
            if not table.options.hints:
                return Reply(toast=translator.text(refusals.NO_HINTS))
            move = await self._thought(session, state, seat)
            return Reply(
                private=Screen(body=advice_line(move, state.public_view(), translator)),
                invitation=invitation_screen(command.user, table.room, translator),
            )
        return Reply(toast=translator.text(refusals.NOTHING_TO_ADVISE))

    async def show(self, table: Table, user: User, translator: Translator) -> Reply:
        """Show somebody their hand at a table with advice in it."""
        session, seat = await self._tables.session(table.id), table.seat_of(user.ref)
        if seat is None:
            return Reply(toast=translator.text(refusals.NOT_SEATED))
        toast, state = None, session.state
        if not table.options.hints:
            toast = translator.text(refusals.NO_HINTS)
        elif state is None or not state.legal_moves(seat):
            toast = translator.text(refusals.NOTHING_TO_ADVISE)
        else:
            version = session.version_for(seat)
            self._presenter.advise(table, user.ref, version, await self._thought(session, state, seat))
        return Reply(toast=toast, private=await self._presenter.hand(table, user.ref))

    async def _thought(self, session: GameSession, state: State, seat: Seat) -> Move:
        return await self._house_players.choose(ADVISER, state, session.events, seat)
