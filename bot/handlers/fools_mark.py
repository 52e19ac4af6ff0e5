"""The fool's mark in a chat, which admins enable and which is updated after every game that counts."""

from functools import partial

from adapters.port import BadgeProblem, BadgeTrouble, Reply, RoomRef, Screen, ServerRef, Throttled, UserRef
from bot.handlers.event import (
    CommandEvent,
    RoomEvent,
    RoomPressEvent,
    Services,
    appointment,
    button,
    tell_admin,
)
from bot.model.buttons import GoUnmarked
from bot.model.calendar import Appointment
from bot.model.refusal import RefusedError
from bot.model.server_choices import OFF, ON
from bot.screens.fools_mark import (
    FOOLS_MARK,
    NOT_YOURS_TO_GIVE,
    TROUBLE,
    UNMARKED,
    Choice,
    Obstacle,
    mark_screen,
    right_text,
    trouble_screen,
)
from bot.storage import WORN
from bot.tables.marks import Marks, Outcome, usable_badge

RETURN_CHECK_SECONDS = 24 * 60 * 60.0  # the pause between checks whether a fool who left is back


def has_badges(event: RoomEvent) -> bool:
    """Returns whether this room has badges; a private chat never has."""
    return event.chat.badges is not None and not event.is_in_private_chat


async def mark_panel(event: CommandEvent, services: Services) -> Screen:
    """Renders the panel of the fool's mark for an admin, with what prevents it, if anything does."""
    badges = event.chat.badges
    server = event.room.server
    assert badges is not None

    state = await services.badges.state(server)
    choices = await services.servers.choices(server)
    is_on = choices.wants(FOOLS_MARK)
    problem: BadgeProblem | None = None

    if is_on:
        problem = await badges.problem(server, state.badge)
        await check_badges(server, services)  # the bot may have got a right, or a role was moved

    if problem is BadgeTrouble.NO_BADGE and not state.badge:
        problem = None  # the badge is created as soon as the bot may

    trouble = problem if isinstance(problem, BadgeTrouble) else None
    return mark_screen(
        Choice(server, is_on, state.badge, badges.are_chosen),
        await badges.offered(server),
        event.translator,
        event.chat.limits,
        trouble=trouble,
        right=badges.right,
    )


async def check_badges(server: ServerRef, services: Services) -> None:
    """Schedules a check of the fool's mark, if the server has it switched on."""
    if (await services.servers.choices(server)).wants(FOOLS_MARK):
        await services.calendar.put(Appointment(server, WORN, services.now()))


async def check_troubled_badges(services: Services) -> None:
    """Schedules a check on every server on which the mark had failed before the start."""
    for server in await services.badges.troubled():
        await check_badges(server, services)


async def switch_mark(value: str, event: CommandEvent, services: Services) -> str:
    """Switches the mark on or off, or on with the badge of this id; returns `on` or `off`.

    Raises:
        RefusedError: The chat has no such badge, or the asker may not give it.
    """
    badges = event.chat.badges
    server = event.room.server
    if badges is None or event.is_in_private_chat:
        raise RefusedError(TROUBLE[BadgeTrouble.NOT_HERE])

    badge = (await services.badges.state(server)).badge
    if value == ON and badges.are_chosen:
        speaks = await services.people.translator_in(server, event.user)
        usable = await usable_badge(badge, badges, server, event.user.ref, speaks)
        if usable is BadgeTrouble.FULL:
            raise RefusedError(TROUBLE[usable])

        badge = usable if isinstance(usable, str) else ""  # created as soon as the bot may
    elif value not in {OFF, ON}:
        offered = [badge.id for badge in await badges.offered(server)]
        if value not in offered:
            raise RefusedError(TROUBLE[BadgeTrouble.NO_BADGE])
        if not await badges.may_choose(server, event.user.ref, value):
            raise RefusedError(NOT_YOURS_TO_GIVE, right=right_text(badges.right, event.reader))

        badge = value

    switch = OFF if value == OFF else ON
    await services.badges.choose(server, badge, event.user.ref)
    await services.servers.choose(server, worn=switch)
    await services.calendar.put(Appointment(server, WORN, services.now()))

    return switch


async def update_marks_of(user: UserRef, services: Services) -> None:
    """Schedules a check of a person's marks, after they chose whether to wear them."""
    for server in await services.badges.servers_of(user):
        await services.calendar.put(Appointment(server, WORN, services.now()))
    for table in list(services.tables.known.values()):
        if table.seat_of(user) is not None:
            services.table_events.changed(table.id)  # for the button under their result


@button(GoUnmarked)
async def go_unmarked(event: RoomPressEvent, button: GoUnmarked, services: Services) -> Reply:
    """Removes the mark from the asker, from now on."""
    user = event.user.ref
    await services.people.choose(user, wears_mark=False)
    await update_marks_of(user, services)
    return event.toast(UNMARKED)


@appointment(WORN, latest=float("inf"), at_night=True, is_repeatable=True)
async def update_mark(due: Appointment, services: Services) -> float | None:
    """Moves the mark to the current fool; idempotent.

    Reports an obstacle once, and not at night, to the admin who enabled the mark.
    """
    server = due.server
    store = services.badges
    badges = services.chats[due.server.platform].badges
    trouble: Outcome = None
    name = ""

    async with services.badge_lock:
        if badges is not None:
            choices = await services.servers.choices(server)
            trouble, name = await Marks(badges, server, store).move(choices)

    if isinstance(trouble, Throttled):
        return trouble.retry_after

    if badges is None or trouble is None:
        await store.set_reported(server, "")
        return None

    local = (await services.servers.choices(server)).local_time
    now = services.now()
    if local.is_quiet(now):
        return local.by_day(now) - now

    admin = (await store.state(server)).admin
    is_personal = trouble in {BadgeTrouble.RANKED, BadgeTrouble.LEFT}
    is_new = await store.set_reported(server, f"{trouble.name} {name if is_personal else ''}")
    if is_new and admin is not None:
        fool = await store.fool(server)
        is_reader = fool is not None and fool.user == admin
        obstacle = Obstacle(trouble, badges.right, name, is_reader, server.platform)
        draw = partial(trouble_screen, obstacle, server)
        await tell_admin(admin, RoomRef(server, server.id), draw, services)

    return RETURN_CHECK_SECONDS if trouble is BadgeTrouble.LEFT else None


async def take_off_marks(user: UserRef, services: Services) -> None:
    """Removes the marks of a person who is about to be forgotten, if the chat allows that."""
    for server, wearer in await services.badges.worn_by(user):
        chat = services.chats.get(server.platform)
        if chat is not None and chat.badges is not None:
            await Marks(chat.badges, server, services.badges).take_off(wearer)
        await services.badges.drop(server, user)
