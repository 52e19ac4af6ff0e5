"""Finds people by their typed names."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from adapters.port import ServerRef, User
from bot.handlers.event import CommandEvent, Services
from bot.model.refusal import RefusedError
from bot.screens.names import safe_name
from bot.screens.refusals import NOBODY_CALLED_SO


async def find_people(text: str, event: CommandEvent, services: Services) -> list[User]:
    """Returns the people with the typed names: one name, or several of one word each.

    Raises:
        RefusedError: A name is unknown here, or several people have it.
    """
    if not text:
        return []

    find = by_name(await services.people.known_on(event.room.server))
    whole, _ = _sort_out([text], find)
    if whole:
        return whole

    people, unknown = _sort_out(text.replace(",", " ").split(), find)
    if unknown:
        raise RefusedError(NOBODY_CALLED_SO, name=safe_name(unknown[0]))

    return people


async def look_up(
    names: Sequence[str], server: ServerRef, services: Services
) -> tuple[list[User], list[str]]:
    """Returns the people with these names on a server, and the names that nobody or several people have."""
    if not names:
        return [], []

    return _sort_out(names, by_name(await services.people.known_on(server)))


def _sort_out(names: Iterable[str], find: Callable[[str], Sequence[User]]) -> tuple[list[User], list[str]]:
    people = list[User]()
    unknown = list[str]()
    for name in names:
        namesakes = find(name)
        if len(namesakes) == 1:
            people += namesakes
        else:
            unknown.append(name)

    return people, unknown


def by_name(people: Sequence[User]) -> Callable[[str], Sequence[User]]:
    """Returns a function that finds people by name, with or without `@`, or by `@` and handle."""
    by_casefolded_name = defaultdict[str, list[User]](list)
    handles = {user.handle.casefold(): user for user in people if user.handle}
    for user in people:
        by_casefolded_name[safe_name(user.name).casefold()].append(user)

    def find(name: str) -> Sequence[User]:
        plain = name.removeprefix("@").casefold()
        if name.startswith("@") and plain in handles:
            return [handles[plain]]
        return by_casefolded_name.get(safe_name(name.removeprefix("@")).casefold(), [])

    return find
