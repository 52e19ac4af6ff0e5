"""Calling friends: who wants to be called when the next game gathers."""

from adapters.port import Delivered, NeedsOptIn, Only, Reply, Screen
from bot.handlers.event import PressEvent, RoomPressEvent, Services, button
from bot.model.buttons import CallCompany, CallMe, CallOff
from bot.model.table import Phase
from bot.screens import calls as screens


@button(CallMe)
async def call_me(event: PressEvent, pressed: CallMe, services: Services) -> Reply:
    """Promise the presser a call, where calls come: who cannot be written to cannot be called."""
    table, user = event.table, event.user
    if event.seat is not None and table.phase in {Phase.LOBBY, Phase.PLAYING}:
        return event.toast(screens.SEATED)
    until = await services.calls.ask(user, table, table.game)
    promise = screens.promise_screen(table, until, event.translator)
    delivery = await services.outbox.announce(Only(user.ref, table.room), promise, is_answer=True)
    if isinstance(delivery, Delivered):
        return event.toast(screens.PROMISED)
    await services.calls.drop(user.ref, table)
    if isinstance(delivery, NeedsOptIn):
        return Reply(toast=event.translator.text(screens.OPEN_PRIVATE_CHAT), open_private=True)
    return event.toast(screens.NOT_NOW)


@button(CallCompany)
async def call_company(event: PressEvent, pressed: CallCompany, services: Services) -> Reply:
    """Call those of the last game in the room who agreed to it, once for each lobby, and never at night."""
    table, local = event.table, (await services.servers.choices(event.table.room.server)).local_time
    if local.is_quiet(services.now()):
        return event.toast(screens.QUIET)
    users = await services.calls.company(table)
    if not users:
        return event.toast(screens.ALONE)
    changed = await services.tables.change(table.id, lambda now: now.call_company(event.user.ref))
    await services.calls.call(users, changed)
    return Reply(toast=screens.company_called(len(users), event.translator))


@button(CallOff)
async def call_off(event: RoomPressEvent, pressed: CallOff, services: Services) -> Reply:
    """Call the presser no more."""
    await services.calls.drop(event.user.ref, await services.tables.table(pressed.table))
    if not event.press.is_private:
        return event.toast(screens.NOT_CALLED)
    return Reply(replacement=Screen(event.translator.spans(screens.NOT_CALLED)))
