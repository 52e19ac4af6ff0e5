"""`/cup`: the sign-up, the rounds and the end of a cup evening.

One message shows a cup. One appointment drives it: it deals rounds, finds absent players and updates the
message. It is repeatable, so it also recovers from a kill at any moment.
"""

import asyncio
from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace
from functools import partial

from adapters.port import ArgumentSpec, CommandScope, Reply, UserRef
from bot.features.cups import screens
from bot.features.cups.buttons import ChangeCup, CupAction
from bot.features.cups.messages import SOON_SECONDS, list_of
from bot.features.cups.model import CUP, TABLE_SIZES, Cup, CupPhase, CupRefusedError
from bot.features.cups.part import SETTING, Cups, NoSuchCupError
from bot.handlers.durak import PRESET, time_in
from bot.handlers.event import CommandEvent, RoomPressEvent, Services, appointment, button, command
from bot.locale import gettext_noop
from bot.model.calendar import Appointment
from bot.model.refusal import RefusedError
from bot.model.series import FINAL
from bot.model.table import Phase, Table
from bot.screens import refusals
from bot.tables.deals import new_seed, trace_of
from engine import Stop
from engine.runtime import SessionFrozenError

SIGN_UP_SECONDS = 10 * 60.0  # the time to sign up for a cup that was opened without a time
MAX_DELAY_SECONDS = 60 * 60.0  # a cup that an outage delays for longer is called off
ROUND_SECONDS = 60 * 60.0  # the longest time of a round; then its games are stopped
CHECK_SECONDS = 60.0  # the pause between checks of a round's tables
MAX_LATE_SECONDS = 365 * 24 * 60 * 60.0  # so long that even after an outage each cup is brought to an end


@command(
    "cup",
    ArgumentSpec("time", gettext_noop("when it begins, such as 20:30; or now")),
    PRESET,
    rank=20,
    summary=gettext_noop("a cup evening for four to sixteen"),
    scopes={CommandScope.GROUP, CommandScope.ADMIN},
)
async def open_cup(event: CommandEvent, services: Services) -> Reply:
    """Opens the sign-up of a cup in a group, or leads to the open one."""
    cups = services.part(Cups)
    refusal = await _refusal(event, services)
    if refusal is not None:
        return refusal

    cup = await cups.in_room(event.room)
    if cup is not None:
        return await _lead_to(cup, event, services)

    translator = event.translator
    time, words = time_in(event.command.args)
    rule_set = await services.rule_book.read(event.room.server, words)
    if any(rule_set.rules.clashes(players) for players in TABLE_SIZES):
        return event.toast(screens.NEEDS_RULES)

    too_many = event.refuse_post(services)
    if too_many is not None:
        return too_many

    now = services.now()
    local = (await services.servers.choices(event.room.server)).local_time
    starts_at = now + SIGN_UP_SECONDS if time is None else local.daily(now, *time)
    new_cup = Cup(
        id=0,
        room=event.room,
        opener=event.user.ref,
        preset=rule_set.name,
        rules=rule_set.rules,
        house_rules=rule_set.house_rules,
        seed=new_seed(),
        starts_at=starts_at,
        locale=translator.locale,
    )
    if event.user.is_person:
        new_cup = new_cup.join(event.user, trace_of(event.id))

    await cups.open(new_cup)
    return Reply()


async def _refusal(event: CommandEvent, services: Services) -> Reply | None:
    """Returns a refusal if a cup is impossible here."""
    if event.is_in_private_chat:
        return event.toast(screens.FOR_GROUPS)
    if event.limits.boards:
        return event.toast(screens.ONE_TABLE)

    if event.missing_rights:
        return event.toast(refusals.NOT_ALLOWED_HERE, missing=event.missing_rights)

    if not (await services.servers.choices(event.room.server)).wants(SETTING):
        return event.toast(screens.IS_OFF)

    return None


async def _lead_to(cup: Cup, event: CommandEvent, services: Services) -> Reply:
    """Leads to the message of a cup, unless it is not posted yet."""
    message = await services.message_index.message(list_of(cup.id))
    if message is None:
        return Reply()
    return Reply(ephemeral=screens.cup_is_here_screen(message, event.reader))


# --- buttons ------------------------------------------------------------------------------------------------

# Actions reserved for a cup's opener and the admins of its chat.
FOR_THE_HOST = {CupAction.BEGIN, CupAction.CALL_OFF}


@button(ChangeCup)
async def change_cup(event: RoomPressEvent, button: ChangeCup, services: Services) -> Reply:
    """Signs the asker up or off, begins the cup, or calls it off."""
    cups = services.part(Cups)
    try:
        cup = await cups.get(button.number)
    except NoSuchCupError:
        return event.toast(screens.GONE)

    is_here = (cup.room.server, cup.room.id) == (event.room.server, event.room.id)
    if not is_here:
        return event.toast(refusals.UNREADABLE)

    is_host = event.user.ref == cup.opener
    if button.action in FOR_THE_HOST and not (is_host or await event.may_moderate(cup.room)):
        return event.toast(refusals.NOT_YOURS_TO_HOST)

    is_own = button.action in {CupAction.JOIN, CupAction.LEAVE}
    if is_own and cups.count_change(event.user.ref, cup.id):
        return event.toast(screens.TOO_MANY_CHANGES)

    try:
        after = await _change(event, cup, button.action, services)
    except CupRefusedError as refused:
        return event.toast(screens.REFUSALS[refused.reason])

    if after.phase is not CupPhase.PLAYING:  # confirm, as the list of names may be updated later
        sentence = {CupAction.JOIN: screens.SIGNED_UP, CupAction.LEAVE: screens.SIGNED_OFF}.get(button.action)
        return Reply() if sentence is None else event.toast(sentence)

    match button.action:
        case CupAction.JOIN:
            entrant = after.entrant(event.user.ref)
            is_back = entrant is not None and entrant.place is not None
            sentence = screens.BACK if is_back else screens.IN_LINE
            return event.toast(sentence)
        case CupAction.LEAVE:
            return event.toast(screens.LEFT)

    return Reply()


async def _change(event: RoomPressEvent, cup: Cup, action: CupAction, services: Services) -> Cup:
    """Changes a cup by a press; returns the changed cup.

    Raises:
        CupRefusedError: The change is impossible; nothing happened.
    """
    cups = services.part(Cups)
    user = event.user
    match action:
        case CupAction.JOIN:
            return await cups.change(cup.id, lambda now: now.join(user, trace_of(event.id)))

        case CupAction.LEAVE:
            return await cups.change(cup.id, lambda now: now.leave(user.ref))

        case CupAction.BEGIN:
            await _sign_off_leavers(cup, services)
            begin = partial(_begin, event=event.id, at=services.now())
            return await cups.change(cup.id, begin)

        case CupAction.CALL_OFF:
            return await cups.change(cup.id, Cup.call_off)


def _begin(now: Cup, *, event: str, at: float) -> Cup:
    """Draws the first round, with the ids of presses as salt, which nobody could choose for the sealed draw.

    If the cup begins by itself, there is no press (`event`), so a new random value takes its place.
    """
    signed_up = [entrant.joined for entrant in now.entrants]
    traces = [*signed_up, trace_of(event or new_seed())]
    return now.begin(trace_of(",".join(traces)), at)


# --- rounds -------------------------------------------------------------------------------------------------


@appointment(CUP, latest=MAX_LATE_SECONDS, at_night=True, is_repeatable=True)
async def keep_cup(due: Appointment, services: Services) -> float | None:
    """Advances a cup as far as possible; returns the seconds until the next check, None at its end."""
    try:
        cup = await _proceed(int(due.about), services)
    except NoSuchCupError:
        return None

    await _deal(cup, services)
    cup = await _call(cup, services)  # after the deal, so that the tables exist
    services.part(Cups).show(cup.id)  # its minutes until the beginning, or its tables, may have changed

    return _next_check(cup, services)


def _next_check(cup: Cup, services: Services) -> float | None:
    """Returns the seconds until a cup's next step or the next update of its countdown; None at its end."""
    match cup.phase:
        case CupPhase.GATHERING:
            left = max(0.0, cup.starts_at - services.now())
            return left - SOON_SECONDS if left > SOON_SECONDS else left % 60.0 or min(left, 60.0)
        case CupPhase.PLAYING if cup.is_round_over:
            return max(0.0, services.part(Cups).break_until(cup) - services.now())
        case CupPhase.PLAYING:
            return CHECK_SECONDS

    return None


async def _proceed(number: int, services: Services) -> Cup:
    """Begins a cup when its time has come, or continues it after a round; returns the cup."""
    cups = services.part(Cups)
    cup = await cups.get(number)
    if cup.phase is CupPhase.PLAYING:
        cup = await cups.get_with_results(number)

    now = services.now()
    if cup.phase is CupPhase.GATHERING and now >= cup.starts_at:
        cup = await _sign_off_leavers(cup, services)
        is_late = now > cup.starts_at + MAX_DELAY_SECONDS
        can_begin = cup.can_begin and not is_late
        change = partial(_begin, event="", at=now) if can_begin else Cup.call_off
        with suppress(CupRefusedError):  # a press has begun it or called it off in the meantime
            return await cups.change(number, change, is_followed_up=True)

        return await cups.get(number)

    if cup.phase is not CupPhase.PLAYING:
        return cup

    if await _stop_late_games(cup, services):
        cup = await cups.get_with_results(number)
    if not cup.is_round_over or (cup.round < FINAL and now < cups.break_until(cup)):
        return cup

    gone = {*await _find_absent(cup, services), *await _find_leavers(cup, services)}
    return await cups.change(number, lambda before: before.advance(gone, now), is_followed_up=True)


async def _sign_off_leavers(cup: Cup, services: Services) -> Cup:
    """Signs off the people who left the chat, before places are drawn; returns the cup."""
    for user in await _find_leavers(cup, services):
        with suppress(CupRefusedError):
            cup = await services.part(Cups).change(cup.id, partial(Cup.leave, user=user))

    return cup


async def _find_leavers(cup: Cup, services: Services) -> Collection[UserRef]:
    """Returns a cup's entrants who are no longer in its chat."""
    users = [entrant.user for entrant in cup.entrants if not entrant.has_left]
    return await services.presence.gone(users, cup.room)


async def _stop_late_games(cup: Cup, services: Services) -> bool:
    """Stops the games of a round in which only bots still play; all of them once the round's time is up.

    Returns whether any was stopped.
    """
    has_stopped = False
    is_up = services.now() >= cup.round_began_at + ROUND_SECONDS

    for game in cup.current_games:
        if game.is_over:
            continue

        table = await services.tables.table(game.table_id)
        is_late = is_up or await _is_deserted(table, services)
        if is_late and table.phase is not Phase.CLOSED:
            await services.tables.change(table.id, _stop)
            has_stopped = True

    return has_stopped


def _stop(table: Table) -> Table:
    if table.phase not in {Phase.LOBBY, Phase.PLAYING}:
        return table
    return replace(table.close(), stopped=Stop.TIME)


async def _is_deserted(table: Table, services: Services) -> bool:
    """Returns whether only bots have played at a table for a while."""
    try:
        table, session = await services.tables.with_session(table.id)
    except SessionFrozenError:
        return False  # the players can stop a frozen game

    return services.scheduler.schedule(table, session.newest).is_asleep


async def _find_absent(cup: Cup, services: Services) -> Collection[UserRef]:
    """Returns the people for whom bots played at the end of the round."""
    absent = set[UserRef]()
    for game in cup.current_games:
        try:
            table, session = await services.tables.with_session(game.table_id)
        except SessionFrozenError:
            continue

        away = services.scheduler.schedule(table, session.newest).away
        absent.update(user for seat in away if (user := table.players[seat].user) is not None)

    return absent


async def _deal(cup: Cup, services: Services) -> None:
    """Deals the games of the current round that are not dealt yet, all at once."""
    async with asyncio.TaskGroup() as tasks:
        for game in cup.current_games:
            if not game.is_over:
                tasks.create_task(_deal_at(game.table_id, services))


async def _deal_at(table_id: int, services: Services) -> None:
    table = await services.tables.table(table_id)
    if table.phase is not Phase.LOBBY:
        return

    try:
        await services.tables.start(table.id, table.opener)
    except RefusedError:  # its players were forgotten
        await services.tables.change(table.id, _stop)


async def _call(cup: Cup, services: Services) -> Cup:
    """Decides, once, which people are called when a cup begins; returns the cup."""
    if cup.has_called or cup.phase is not CupPhase.PLAYING:
        return cup

    people = await _find_called(cup, services)
    return await services.part(Cups).change(cup.id, lambda now: now.note_called(people))


async def _find_called(cup: Cup, services: Services) -> Collection[UserRef]:
    """Returns the people who may be called to a cup; nobody at night, and nobody who was called recently."""
    local = (await services.servers.choices(cup.room.server)).local_time
    if local.is_quiet(services.now()):
        return ()

    leavers = await _find_leavers(cup, services)
    users = [holder.user for holder in cup.holders if holder.user not in leavers]
    return await services.calls.ring(users, cup.room.server, about=f"cup:{cup.id}")
