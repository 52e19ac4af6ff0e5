"""The fool's mark: worn by the player who lost last; the bot gives, moves and removes it.

What is worn is derived: who lost the newest game that counts. What the bot has done is written down before it
is done, so that a kill at any moment leaves nothing that a second look does not put right.
"""

from dataclasses import replace
from functools import partial

from adapters.port import BadgeProblem, Badges, BadgeTrouble, RoomRef, Screen, ServerRef, Throttled, UserRef
from bot.handlers.event import CommandEvent, Event, Services, appointment, tell_admin
from bot.locale import Translator
from bot.model.calendar import Appointment
from bot.model.people import OFF, ON, ServerChoices
from bot.screens.words import InvalidArgumentError
from bot.screens.worn import (
    NOT_YOURS_TO_GIVE,
    Choice,
    badge_name,
    mark_of,
    right_text,
    trouble_screen,
    trouble_text,
    worn_screen,
)
from bot.storage import WORN, BadgeStore, Wearer

Outcome = BadgeTrouble | Throttled | None  # what is in the way; None: nothing
RETURN_CHECK_SECONDS = 24 * 60 * 60.0  # the pause between checks whether a fool who left has returned
CANNOT_BE_TAKEN = {BadgeTrouble.NO_RIGHT, BadgeTrouble.ABOVE, BadgeTrouble.NOT_HERE, BadgeTrouble.REFUSED}
"""Troubles of the bot: until they are over, the mark stays where it is.

A person who has become an admin loses it once they are none; nothing waits for that.
"""


def has_badges(event: Event) -> bool:
    """Whether anything can be worn where this happened."""
    return event.chat.badges is not None and not event.is_in_private_chat


async def worn_here(event: CommandEvent, services: Services) -> Screen:
    """Shows an admin whether the fool wears it here, and what is in the way."""
    badges = event.chat.badges
    server = event.room.server
    assert badges is not None

    state = await services.badges.state(server)
    choices = await services.servers.choices(server)
    is_on = choices.wants(WORN)
    problem: BadgeProblem | None = None

    if is_on:
        problem = await badges.problem(server, state.badge)
        await check_badges(server, services)  # a right may have been given, or a role moved

    if problem is BadgeTrouble.NO_BADGE and not state.badge:
        problem = None  # it's made as soon as the bot may

    return worn_screen(
        Choice(server, is_on, state.badge, badges.are_chosen),
        await badges.offered(server),
        event.translator,
        event.chat.limits,
        trouble=problem if isinstance(problem, BadgeTrouble) else None,
        right=badges.right,
    )


async def check_badges(server: ServerRef, services: Services) -> None:
    """Schedules a check of the fool's mark on a server where it's switched on."""
    if (await services.servers.choices(server)).wants(WORN):
        await services.calendar.put(Appointment(server, WORN, services.now()))


async def check_troubled_badges(services: Services) -> None:
    """Schedules a check on every server where something was in the way of the mark before the start."""
    for server in await services.badges.troubled():
        await check_badges(server, services)


async def choose_worn(value: str, event: CommandEvent, services: Services) -> str:
    """Switches it on or off; on with a badge of the server, where its id was chosen. Gives `on` or `off`."""
    badges = event.chat.badges
    server = event.room.server
    if badges is None or event.is_in_private_chat:
        raise InvalidArgumentError(trouble_text(BadgeTrouble.NOT_HERE, "", "", event.translator))

    badge = (await services.badges.state(server)).badge
    if value == ON and badges.are_chosen:
        speaks = await services.people.translator_in(server, event.user)
        made = await _usable(badge, badges, server, event.user.ref, speaks)
        if made is BadgeTrouble.FULL:
            raise InvalidArgumentError(trouble_text(made, "", "", event.translator))
        badge = made if isinstance(made, str) else ""  # it is made as soon as the bot may
    elif value not in {OFF, ON}:
        offered = [each.id for each in await badges.offered(server)]
        if value not in offered:
            raise InvalidArgumentError(trouble_text(BadgeTrouble.NO_BADGE, "", "", event.translator))
        if not await badges.may_choose(server, event.user.ref, value):
            raise InvalidArgumentError(
                event.translator.text(NOT_YOURS_TO_GIVE, right=right_text(badges.right, event.translator))
            )

        badge = value

    chosen = OFF if value == OFF else ON
    await services.badges.choose(server, badge, event.user.ref)
    await services.servers.choose(server, worn=chosen)
    await services.calendar.put(Appointment(server, WORN, services.now()))

    return chosen


async def _usable(
    badge: str, badges: Badges, server: ServerRef, admin: UserRef | None, translator: Translator
) -> str | BadgeProblem:
    """Returns the badge that was chosen or made before, or else one of the fool's name, or makes it.

    One of that name is taken only if the `admin` could give it themselves: it may open doors.
    """
    if badge and await badges.problem(server, badge) is None:
        return badge
    name = badge_name(translator)
    known = next((each.id for each in await badges.offered(server) if each.name == name), None)
    if known is not None and admin is not None and await badges.may_choose(server, admin, known):
        return known
    return await badges.make(server, name)


async def change_mind(user: UserRef, services: Services) -> None:
    """Looks again at what a person wears, who has just chosen to wear it or not to."""
    for server in await services.badges.servers_of(user):
        await services.calendar.put(Appointment(server, WORN, services.now()))
    for table in list(services.tables.known.values()):
        if table.seat_of(user) is not None:
            services.table_events.changed(table.id)  # the button stands under their result


# --- moving the mark ----------------------------------------------------------------------------------------


@appointment(WORN, latest=float("inf"), at_night=True, is_repeatable=True)
async def look_at_fool(due: Appointment, services: Services) -> float | None:
    """Gives the mark to the fool alone; idempotent.

    The admin who switched it on hears what is in the way, once, and not at night.
    """
    server = due.server
    store = services.badges
    badges = services.chats[due.server.platform].badges
    trouble: Outcome = None
    name = ""

    async with services.wearing:
        if badges is not None:
            choices = await services.servers.choices(server)
            trouble, name = await Marks(badges, server, store).move(choices)

    if isinstance(trouble, Throttled):
        return trouble.retry_after
    if badges is None or trouble is None:
        await store.tell(server, "")
        return None

    local = (await services.servers.choices(server)).local_time
    now = services.now()
    if local.is_quiet(now):
        return local.by_day(now) - now

    admin = (await store.state(server)).admin
    is_personal = trouble in {BadgeTrouble.RANKED, BadgeTrouble.LEFT}
    is_new = await store.tell(server, f"{trouble.name} {name if is_personal else ''}")
    if is_new and admin is not None:
        draw = partial(trouble_screen, trouble, badges.right, name, server)
        await tell_admin(admin, RoomRef(server, server.id), draw, services)

    return RETURN_CHECK_SECONDS if trouble is BadgeTrouble.LEFT else None


class Marks:
    """The marks of a server: the fool wears it, and no one else.

    What is about to be done is written down first.
    """

    def __init__(self, badges: Badges, server: ServerRef, store: BadgeStore) -> None:
        self._badges = badges
        self._server = server
        self._store = store

    async def move(self, choices: ServerChoices) -> tuple[Outcome, str]:
        """Removes the mark from everyone else, and only then give it to the fool.

        Returns what is in the way, and the name of the fool.
        """
        fool = await self._store.fool(self._server) if choices.wants(WORN) else None
        wearers = {each.user: each for each in await self._store.wearers(self._server)}
        for wearer in wearers.values():
            if fool is None or wearer.user != fool.user:
                trouble = await self.take_off(wearer)
                if isinstance(trouble, Throttled) or trouble in CANNOT_BE_TAKEN:
                    return trouble, ""

        if fool is None:
            return None, ""

        translator = Translator(choices.locale or fool.locale)
        mark: str | BadgeProblem = mark_of(fool.streak, translator)
        if self._badges.are_chosen:
            state = await self._store.state(self._server)
            mark = state.badge or await _usable("", self._badges, self._server, state.admin, translator)
            if isinstance(mark, str) and not state.badge:  # the bot was not allowed to make it until now
                await self._store.choose(self._server, mark, state.admin)

        if not isinstance(mark, str):
            return mark, fool.name

        return await self.put_on(fool.user, mark, wearers.get(fool.user)), fool.name

    async def put_on(self, user: UserRef, mark: str, known: Wearer | None) -> Outcome:
        """Replaces what a member wears with a mark, unless a person has changed it since then."""
        worn = await self._worn(known or Wearer(user, mark))
        if not isinstance(worn, str):
            return worn

        if known is None:
            known = Wearer(user, mark, before=worn)
        elif worn not in known.ours and (known.is_done or worn != known.before):
            if worn:
                return None
            known = Wearer(user, mark)  # they left and came back, or the mark was taken off
        elif known.mark != mark:
            known = Wearer(user, mark, before=known.before, former=worn)

        await self._store.put(self._server, known)
        if worn != mark:
            problem = await self._badges.wear(self._server, user, mark, worn)
            if isinstance(problem, BadgeTrouble) and not known.former:
                await self._store.drop(self._server, user)
            if problem is not None:
                return problem

        await self._store.put(self._server, replace(known, is_done=True))
        return None

    async def _worn(self, wearer: Wearer) -> str | BadgeProblem:
        """Returns what a member wears: a mark that replaces another may not have arrived."""
        worn = await self._badges.worn(self._server, wearer.user, wearer.mark)
        if worn == "" and wearer.former:
            return await self._badges.worn(self._server, wearer.user, wearer.former)
        return worn

    async def take_off(self, wearer: Wearer) -> Outcome:
        """Gives back what a member wore before, unless a person has changed it since then."""
        worn = await self._worn(wearer)
        problem = None if isinstance(worn, str) else worn
        if isinstance(worn, str) and worn in wearer.ours - {wearer.before}:
            problem = await self._badges.wear(self._server, wearer.user, wearer.before, worn)
        if problem not in {None, BadgeTrouble.LEFT, BadgeTrouble.NO_BADGE}:
            return problem
        await self._store.drop(self._server, wearer.user)
        return None


async def forget_worn(user: UserRef, services: Services) -> None:
    """Takes the mark off a person who is about to be forgotten, as far as the chat lets the bot."""
    for server, wearer in await services.badges.worn_by(user):
        chat = services.chats.get(server.platform)
        if chat is not None and chat.badges is not None:
            await Marks(chat.badges, server, services.badges).take_off(wearer)
        await services.badges.drop(server, user)
