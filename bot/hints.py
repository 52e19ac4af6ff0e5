"""`/hint`: what an expert would do in somebody's place."""

from adapters.port import Command, Reply, Screen
from bot.locale import Voice
from bot.parlour import Parlour
from bot.screens import refusals
from bot.screens.moves import move_label
from bot.screens.ways import invitation_screen
from bot.thinking import Thinking

STRENGTH = "expert"


class Hints:
    """Lets a house player think for people, from what they may know themselves."""

    def __init__(self, parlour: Parlour, thinking: Thinking) -> None:
        self._parlour = parlour
        self._thinking = thinking

    async def reply(self, command: Command, voice: Voice) -> Reply:
        """Advise somebody at the first table that waits for them, those in this room before others."""
        for lobby in await self._parlour.tables_of(command.user.ref, near=command.room):
            cards, seat = await self._parlour.cards(lobby.id), lobby.seat_of(command.user.ref)
            state = cards.state
            if state is None or seat is None or not state.legal_moves(seat):
                continue
            move = await self._thinking.choose(STRENGTH, state, cards.events, seat)
            label = move_label(move, state.public_view(), voice)
            return Reply(
                private=Screen(body=voice.spans("💡 An expert would play: {move}", move=label)),
                invitation=invitation_screen(command.user, lobby.room, voice),
            )
        return Reply(toast=voice.say(refusals.NOTHING_TO_ADVISE))
