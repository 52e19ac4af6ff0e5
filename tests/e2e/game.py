"""People gather at a table and press random buttons that are there."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from tests.e2e.chats import Chat, Person, Shown

T = TypeVar("T")

MOVE, TAKE = "m:", ":T"
PAUSE = 0.01
BOLDNESS = 0.95
"""How often somebody who could do something else does not take; a game of takers hardly ends."""

GAME_WITHIN = 150.0
"""Seconds for a game: a chat is written to about once a second, so a game takes a second a move."""


async def until(look: Callable[[], Awaitable[T | None]], what: str, within: float = 20.0) -> T:
    """Look again and again until there is something to see."""
    try:
        async with asyncio.timeout(within):
            while not (found := await look()):  # noqa: ASYNC110 - what is looked at is in another process
                await asyncio.sleep(PAUSE)
    except TimeoutError:
        raise AssertionError(f"waited {within} s for {what}") from None
    return found


async def newest_public(person: Person, words: str) -> Shown:
    """Wait for a public message with these words in it; the newest one."""

    async def look() -> Shown | None:
        return next((shown for shown in reversed(await person.public()) if words in shown.text), None)

    return await until(look, f"{words!r} in public")


async def button(person: Person, label: str) -> tuple[Shown, str]:
    """Wait for a public button with this label."""

    async def look() -> tuple[Shown, str] | None:
        for shown in reversed(await person.public()):
            if label in shown.buttons.values():
                return shown, shown.token(label)
        return None

    return await until(look, f"the button {label!r}")


async def press(person: Person, label: str) -> str:
    """Press a public button once it is there."""
    shown, token = await button(person, label)
    return await person.presses(shown, token)


async def heard(person: Person, line: str) -> str:
    """Type a command; gives what comes back, privately or publicly."""
    before = [shown.text for shown in await person.public()]
    told = await person.types(line)

    async def look() -> str | None:
        after = [shown.text for shown in await person.public()]
        return told or "\n".join(after[len(before) :])

    return await until(look, f"an answer to {line!r}")


async def gather(
    chat: Chat, names: Sequence[str], *, house: int = 0, command: str = "/durak"
) -> list[Person]:
    """Let people enter, open a table, join and start."""
    people = [await chat.newcomer(name) for name in names]
    await people[0].types(command)
    for person in people[1:]:
        await press(person, "Join")
    for seat in range(house):
        await newest_public(people[0], f"Players {len(people) + seat} of")
        await press(people[0], "Add house player")
    await newest_public(people[0], f"Players {len(people) + house} of")
    await press(people[0], "Start")
    return people


async def moves_of(person: Person) -> list[tuple[Shown, str]]:
    """The moves that somebody's newest hand offers."""
    for shown in reversed(await person.private()):
        moves = [token for token in shown.buttons if token.startswith(MOVE)]
        if moves:
            return [(shown, token) for token in moves]
    return []


Chosen = set[tuple[Person, str]]
"""Who has chosen at which table and version."""


async def open_choices(people: Sequence[Person], chosen: Chosen) -> list[tuple[Person, Shown, str]]:
    """What people could press now; nobody presses again while the answer to a choice is on its way."""
    moves = [(person, *move) for person in people for move in await moves_of(person)]
    return [move for move in moves if (move[0], choice_of(move[2])) not in chosen]


async def play_on(
    people: Sequence[Person],
    chance: random.Random,
    presses: int | None = None,
    chosen: Chosen | None = None,
) -> int:
    """Press random moves until the game is over, or so many were pressed; gives how many were.

    `chosen` is what was pressed before, and is added to.
    """
    done = 0
    chosen = set() if chosen is None else chosen
    async with asyncio.timeout(GAME_WITHIN):
        while presses is None or done < presses:
            if await result(people[0]) is not None:
                break
            offered = await open_choices(people, chosen)
            if not offered:
                await asyncio.sleep(PAUSE)
                continue
            bold = [offer for offer in offered if not offer[2].endswith(TAKE)]
            person, shown, token = chance.choice(bold if bold and chance.random() < BOLDNESS else offered)
            chosen.add((person, choice_of(token)))
            try:
                await person.presses(shown, token)
            except LookupError:
                continue  # the hand was redrawn in the meantime, so a person would have missed the button
            done += 1
    return done


def choice_of(token: str) -> str:
    """The table and the version in a move's token."""
    return token.rpartition(":")[0]


async def result(person: Person, game: int = 1) -> Shown | None:
    """The public result of the game with this number (of those seen), if it is there."""
    ends = [shown for shown in await person.public() if "Seed of the deal: " in shown.text]
    return ends[game - 1] if len(ends) >= game else None
