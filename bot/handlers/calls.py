"""Calling friends: who wants to be called when the next game gathers."""

from adapters.port import Delivered, NeedsOptIn, Only, Reply, Screen
from bot.handlers.event import PressEvent, RoomPressEvent, Services, button, room_button
from bot.model.buttons import CallMe, CallOff
from bot.model.table import Phase
from bot.screens.calls import NOT_CALLED, NOT_NOW, OPEN_PRIVATE_CHAT, PROMISED, SEATED, promise_screen


@button(CallMe)
async def call_me(event: PressEvent, pressed: CallMe, services: Services) -> Reply:
    """Promise the presser a call, where calls come: who cannot be written to cannot be called."""
    table, user = event.table, event.user
    if event.seat is not None and table.phase in {Phase.LOBBY, Phase.PLAYING}:
        return event.toast(SEATED)
    until = await services.calls.ask(user, table, table.game)
    promise = promise_screen(table, until, event.translator)
    delivery = await services.outbox.announce(Only(user.ref, table.room), promise, is_answer=True)
    if isinstance(delivery, Delivered):
        return event.toast(PROMISED)
    await services.calls.drop(user.ref, table)
    if isinstance(delivery, NeedsOptIn):
        return Reply(toast=event.translator.text(OPEN_PRIVATE_CHAT), open_private=True)
    return event.toast(NOT_NOW)


@room_button(CallOff)
async def call_off(event: RoomPressEvent, pressed: CallOff, services: Services) -> Reply:
    """Call the presser no more."""
    await services.calls.drop(event.user.ref, await services.tables.table(pressed.table))
    if not event.press.is_private:
        return event.toast(NOT_CALLED)
    return Reply(replacement=Screen(event.translator.spans(NOT_CALLED)))
