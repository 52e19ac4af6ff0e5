"""Gives, moves and removes the fool's mark, which the last loser wears.

Its wearer is derived from the newest game that counts. The bot stores each step before taking it, so that a
second run can finish what a kill has interrupted.
"""

from dataclasses import replace

from adapters.port import BadgeProblem, Badges, BadgeTrouble, ServerRef, Throttled, UserRef
from bot.locale import Translator
from bot.model.server_choices import ServerChoices
from bot.screens.fools_mark import FOOLS_MARK, badge_name, mark_of
from bot.storage import BadgeStore, Wearer

Outcome = BadgeTrouble | Throttled | None  # the obstacle; None if there is none

# Troubles that keep the mark where it is until they are over. (A badge is cleared when its wearer stops being
# an admin; no retry waits for that.)
CANNOT_BE_TAKEN = {BadgeTrouble.NO_RIGHT, BadgeTrouble.ABOVE, BadgeTrouble.NOT_HERE, BadgeTrouble.REFUSED}


class Marks:
    """Moves the mark of a server, so that only the fool wears it."""

    def __init__(self, badges: Badges, server: ServerRef, store: BadgeStore) -> None:
        self._badges = badges
        self._server = server
        self._store = store

    async def move(self, choices: ServerChoices) -> tuple[Outcome, str]:
        """Removes the mark from all others, and only then gives it to the fool.

        Returns:
            The obstacle, and the name of the fool (empty if there is none, or another keeps the mark).
        """
        fool = await self._store.fool(self._server) if choices.wants(FOOLS_MARK) else None
        wearers = {wearer.user: wearer for wearer in await self._store.wearers(self._server)}

        for wearer in wearers.values():
            if fool is not None and wearer.user == fool.user:
                continue

            trouble = await self.take_off(wearer)
            if isinstance(trouble, Throttled) or trouble in CANNOT_BE_TAKEN:
                return trouble, ""

        if fool is None:
            return None, ""

        translator = Translator(choices.locale or fool.locale)
        mark: str | BadgeProblem = mark_of(fool.streak, translator)
        if self._badges.are_chosen:
            state = await self._store.state(self._server)
            mark = state.badge or await usable_badge("", self._badges, self._server, state.admin, translator)
            if isinstance(mark, str) and not state.badge:  # the bot was not allowed to make it until now
                await self._store.choose(self._server, mark, state.admin)

        if not isinstance(mark, str):
            return mark, fool.name

        return await self.put_on(fool.user, mark, wearers.get(fool.user)), fool.name

    async def put_on(self, user: UserRef, mark: str, wearer: Wearer | None) -> Outcome:
        """Replaces a member's mark, unless a person has changed it since the bot did."""
        present = await self._mark_of(wearer or Wearer(user, mark))
        if not isinstance(present, str):
            return present

        if wearer is None:
            wearer = Wearer(user, mark, before=present)
        elif present not in wearer.ours and (wearer.is_done or present != wearer.before):
            if present:
                return None
            wearer = Wearer(user, mark)  # they left and came back, or the mark was taken off
        elif wearer.mark != mark:
            wearer = Wearer(user, mark, before=wearer.before, former=present)

        await self._store.put(self._server, wearer)
        if present != mark:
            problem = await self._badges.wear(self._server, user, mark, present)
            if isinstance(problem, BadgeTrouble) and not wearer.former:
                await self._store.drop(self._server, user)
            if problem is not None:
                return problem

        await self._store.put(self._server, replace(wearer, is_done=True))
        return None

    async def _mark_of(self, wearer: Wearer) -> str | BadgeProblem:
        """Returns a member's mark, which may still be the former one."""
        mark = await self._badges.mark_of(self._server, wearer.user, wearer.mark)
        if mark == "" and wearer.former:
            return await self._badges.mark_of(self._server, wearer.user, wearer.former)
        return mark

    async def take_off(self, wearer: Wearer) -> Outcome:
        """Restores a member's own mark, unless a person has changed it since the bot did."""
        mark = await self._mark_of(wearer)
        problem = None if isinstance(mark, str) else mark
        if isinstance(mark, str) and mark in wearer.ours - {wearer.before}:
            problem = await self._badges.wear(self._server, wearer.user, wearer.before, mark)
        if problem not in {None, BadgeTrouble.LEFT, BadgeTrouble.NO_BADGE}:
            return problem

        await self._store.drop(self._server, wearer.user)
        return None


async def usable_badge(
    badge: str, badges: Badges, server: ServerRef, admin: UserRef | None, translator: Translator
) -> str | BadgeProblem:
    """Returns the `badge` if it still works, or else one that is named like the mark, or else makes one.

    An existing one is used only if the `admin` could give it themselves, as it may grant rights.
    """
    if badge and await badges.problem(server, badge) is None:
        return badge

    name = badge_name(translator)
    namesake = next((badge.id for badge in await badges.offered(server) if badge.name == name), None)
    if namesake is not None and admin is not None and await badges.may_choose(server, admin, namesake):
        return namesake

    return await badges.make(server, name)
