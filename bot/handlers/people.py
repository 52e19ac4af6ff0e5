"""People by their typed names."""

from collections import defaultdict
from collections.abc import Callable, Sequence

from adapters.port import User
from bot.handlers.event import CommandEvent, Services
from bot.screens.card_games import NOBODY_CALLED_SO
from bot.screens.names import safe_name
from bot.screens.text import InvalidArgumentError


async def find_people(text: str, event: CommandEvent, services: Services) -> list[User]:
    """Finds the people whose names are typed: one, or several of one word each, with or without commas.

    Raises:
        InvalidArgumentError: Nobody known here has this name.
    """
    if not text:
        return []

    named = by_name(await services.card_games.store.people(event.room.server))
    if len(whole := named(text)) == 1:
        return list(whole)

    found = list[User]()
    for word in text.replace(",", " ").split():
        people = named(word)
        if len(people) != 1:
            sentence = event.translator.text(NOBODY_CALLED_SO, name=safe_name(word))
            raise InvalidArgumentError(sentence)

        found += people

    return found


def by_name(people: Sequence[User]) -> Callable[[str], Sequence[User]]:
    """Returns a finder of people by a typed name, with or without `@`, or by this handle."""
    called = defaultdict[str, list[User]](list)
    handles = {user.handle.casefold(): user for user in people if user.handle}
    for user in people:
        called[safe_name(user.name).casefold()].append(user)

    def named(name: str) -> Sequence[User]:
        plain = name.removeprefix("@").casefold()
        if name.startswith("@") and plain in handles:
            return [handles[plain]]
        return called.get(safe_name(name.removeprefix("@")).casefold(), [])

    return named
