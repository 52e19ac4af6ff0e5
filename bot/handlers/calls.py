"""Buttons about being called to the next game, and calling others."""

from adapters.port import Reply, Screen
from bot.handlers.event import PressEvent, RoomPressEvent, Services, button
from bot.model.buttons import AnswerCall, CallCompany, CallMe, CallOff, JoinCompany, MuteCalls
from bot.model.messages import MessageKind, TableSlot
from bot.model.profile import Calling
from bot.model.refusal import RefusedError, TableRefusal
from bot.model.standings import MIN_PEOPLE
from bot.model.table import Phase
from bot.screens import calls as screens
from bot.screens import refusals
from bot.tables.deals import trace_of


@button(CallMe)
async def call_me(event: PressEvent, button: CallMe, services: Services) -> Reply:
    """Promises the asker a call to the next game; without a private chat, leads them there first."""
    table = event.table
    user = event.user
    if not await services.calls.ask(user, table, table.game):
        return await _promised(event, screens.PROMISED_ALREADY, services)
    if await services.calls.promise(user.ref, table):
        return await _promised(event, screens.PROMISED, services)

    return _lead_to_private(event)


async def _promised(event: PressEvent, sentence: str, services: Services) -> Reply:
    """Confirms a call; offers calls by the other players if the pressed result has no button for them."""
    table = event.table
    user = event.user.ref
    people = table.people()
    was_company = table.phase is Phase.OVER and user in people and len(people) >= MIN_PEOPLE
    if not (event.limits.folds_buttons and was_company):
        return event.toast(sentence)

    profile = await services.people.profile(user)
    if profile.company:
        return event.toast(sentence)

    return Reply(secret=screens.promised_screen(table, sentence, event.translator))


def _lead_to_private(event: PressEvent) -> Reply:
    """Explains to the asker how the bot can write to them, with a link to the private chat if needed."""
    limits = event.chat.limits
    if limits.private_setting or event.press.on_private_message:
        return Reply(toast=screens.cannot_call(limits, event.translator), open_private=True)

    return Reply(secret=screens.open_private_screen(event.table, limits, event.translator))


@button(AnswerCall)
async def answer_call(event: RoomPressEvent, button: AnswerCall, services: Services) -> Reply:
    """Seats the asker at the table to which they were called."""
    table = await services.tables.table(button.table)
    user = event.user
    if table.phase is Phase.CLOSED or table.game != button.game:
        return event.toast(refusals.TABLE_CLOSED)
    if await services.presence.is_gone(user.ref, table.room):
        raise RefusedError(TableRefusal.NO_TABLE)

    if table.seat_of(user.ref) is None:
        table = await services.tables.change(table.id, lambda now: now.join(user, trace_of(event.id)))

    message = await services.message_index.message(TableSlot(table.id, table.game, MessageKind.TABLE))
    return Reply(replacement=screens.answered_screen(table, message, event.translator))


@button(JoinCompany)
async def join_company(event: PressEvent, button: JoinCompany, services: Services) -> Reply:
    """Allows the other players of a game to call the asker, without notifying them."""
    user = event.user.ref
    seat = await services.records.seat_of(user, button.table_id, button.game)
    if seat is None:
        return event.toast(screens.NOT_OF_COMPANY)

    await services.people.choose(user, company=True)
    await services.calls.unmute(user, event.table)

    profile = await services.people.profile(user)
    if profile.calling is Calling.NEVER:
        return event.toast(screens.IN_COMPANY_BUT_HUSHED)
    if profile.reachable is False:
        return _lead_to_private(event)

    return event.toast(screens.IN_COMPANY)


@button(CallCompany)
async def call_company(event: PressEvent, button: CallCompany, services: Services) -> Reply:
    """Calls the willing players of the last game in the room, once for each lobby, and never at night."""
    table = event.table
    local = (await services.servers.choices(event.table.room.server)).local_time
    if local.is_quiet(services.now()):
        return event.toast(screens.QUIET)

    users = await services.calls.company(table)
    if not users:
        return event.toast(screens.ALONE)

    after = await services.tables.change(table.id, lambda now: now.call_company(event.user.ref))
    await services.calls.call(users, after)
    return Reply(toast=screens.company_called(len(users), event.translator))


@button(CallOff)
async def call_off(event: RoomPressEvent, button: CallOff, services: Services) -> Reply:
    """Drops the asker's wish to be called to a room."""
    await services.calls.drop(event.user.ref, await services.tables.table(button.table))
    return _answer(event, screens.NOT_CALLED)


@button(MuteCalls)
async def mute_calls(event: RoomPressEvent, button: MuteCalls, services: Services) -> Reply:
    """Stops all calls to the asker from a chat."""
    table = await services.tables.table(button.table)
    await services.calls.mute(event.user, table)
    return _answer(event, screens.MUTED)


def _answer(event: RoomPressEvent, sentence: str) -> Reply:
    """Answers in place of a private message, or by a notice if others see the pressed one."""
    if not event.press.on_private_message:
        return event.toast(sentence)
    return Reply(replacement=Screen(event.translator.spans(sentence)))
