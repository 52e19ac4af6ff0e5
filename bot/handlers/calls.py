"""Calling friends: who wants to be called when the next game gathers."""

from adapters.port import Reply, Screen
from bot.handlers.event import PressEvent, RoomPressEvent, Services, button, room_button
from bot.model.buttons import CallMe, CallOff
from bot.model.table import Phase
from bot.screens.calls import NOT_CALLED, SEATED, promise_screen
from bot.screens.table import answer_elsewhere_screen


@button(CallMe)
async def call_me(event: PressEvent, pressed: CallMe, services: Services) -> Reply:
    """Promise the presser a call; who sits at a table that gathers or plays needs none."""
    table = event.table
    if event.seat is not None and table.phase in {Phase.LOBBY, Phase.PLAYING}:
        return event.toast(SEATED)
    until = await services.calls.ask(event.user, table, table.game)
    return Reply(
        private=promise_screen(table, until, event.translator),
        invitation=answer_elsewhere_screen(event.user, event.room, event.translator),
    )


@room_button(CallOff)
async def call_off(event: RoomPressEvent, pressed: CallOff, services: Services) -> Reply:
    """Call the presser no more."""
    await services.calls.drop(event.user.ref, await services.tables.table(pressed.table))
    if not event.press.is_private:
        return event.toast(NOT_CALLED)
    return Reply(replacement=Screen(event.translator.spans(NOT_CALLED)))
