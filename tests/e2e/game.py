"""Games of people who gather at a table and press random buttons."""

import asyncio
import random
import re
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from tests.e2e.chats import Chat, Person, Shown

T = TypeVar("T")

# Opens a table for a game of two that takes some two dozen moves.
SHORT = "/durak podkidnoy-24 hand_size=12 throw_in=none"

# One of these is in every result, of this version and earlier ones.
RESULTS = (" is the fool!", "🤝 A draw: ", "🃏 Lost: ", "🏆 Nobody has cards left")

MOVE = "m:"
TAKE = ":T"
PAUSE = 0.05
BOLDNESS = 0.95  # the share of moves other than a take where there is a choice; a game of takes hardly ends
PATIENCE = 1.0  # seconds after which a player repeats a press without effect, as after a crash
GAME_WITHIN = 100.0  # seconds for a game, on a machine that is busy with other tests


class GameOverError(Exception):
    """The game is over, so no one can move."""


async def until(look: Callable[[], Awaitable[T | None]], what: str, within: float = 40.0) -> T:
    """Polls `look` until it returns something, and fails after `within` seconds."""
    try:
        async with asyncio.timeout(within):
            while not (found := await look()):
                await asyncio.sleep(PAUSE)
    except TimeoutError:
        raise AssertionError(f"waited {within} s for {what}") from None

    return found


async def newest_public(person: Person, words: str, within: float = 40.0) -> Shown:
    """Waits for a public message with these words, and returns the newest."""

    async def look() -> Shown | None:
        return next((shown for shown in reversed(await person.public()) if words in shown.text), None)

    return await until(look, f"{words!r} in public", within)


async def button(person: Person, *labels: str) -> tuple[Shown, str]:
    """Waits for a public button with one of these labels."""

    async def look() -> tuple[Shown, str] | None:
        for shown in reversed(await person.public()):
            for label in labels:
                if label in shown.buttons.values():
                    return shown, shown.token(label)

        return None

    return await until(look, f"the button {' or '.join(labels)}")


async def hand_with(person: Person, label: str) -> tuple[Shown, str]:
    """Waits for a private button with this label without pressing one: "My hand" would close a question."""

    async def look() -> tuple[Shown, str] | None:
        for shown in reversed(await person.private()):
            if label in shown.buttons.values():
                return shown, shown.token(label)
        return None

    return await until(look, f"the private button {label!r}")


async def press(person: Person, *labels: str) -> str:
    """Presses a public button with one of these labels, once it is there."""
    shown, token = await button(person, *labels)
    return await person.presses(shown, token)


RESULT = re.compile(r"Game \d+ is over\.")


def is_answer(shown: Shown) -> bool:
    """Returns whether all its buttons are commands; those of a hand mean moves or tables."""
    return all(token.startswith(("k:", "p:")) for token in shown.buttons)


async def heard(person: Person, line: str) -> str:
    """Types a command, and returns the texts of its answer, private and public.

    Hands and results are left out, since they may come by themselves.
    """
    before = [shown.text for shown in await person.public()]
    last = before[-1] if before else ""
    own = [shown.text for shown in await person.private()]
    notice = await person.types(line)

    async def look() -> str | None:
        after = [shown.text for shown in await person.public()]
        private = [shown.text for shown in await person.private() if is_answer(shown)]
        alone = [text for text in private if text not in own and not RESULT.search(text)]
        known = after.index(last) + 1 if last in after else len(before)  # a result may replace its table
        return notice or "\n".join((*after[known:], *alone))

    return await until(look, f"an answer to {line!r}")


async def gather(
    chat: Chat, names: Sequence[str], *, house: int = 0, command: str = "/durak"
) -> list[Person]:
    """Lets people enter the room, open a table, join and start."""
    people = [await chat.newcomer(name) for name in names]
    await sit_down(people, house=house, command=command)
    return people


async def sit_down(people: Sequence[Person], *, house: int = 0, command: str = "/durak") -> None:
    """Lets people in the room open a table, join and start."""
    await people[0].types(command)
    for person in people[1:]:
        await press(person, "Join")

    for _ in range(house):
        await press(people[0], "Add bot")

    await press(people[0], "Start", "Start now")  # a full table counts down


async def moves_of(person: Person) -> list[tuple[Shown, str]]:
    """Returns the moves that a player's newest hand offers."""
    for shown in reversed(await person.private()):
        moves = [token for token in shown.buttons if token.startswith(MOVE)]
        if moves:
            return [(shown, token) for token in moves]
    return []


Chosen = dict[tuple[Person, str], float]  # the time of each choice, by player, table and version


async def open_choices(person: Person, chosen: Chosen) -> list[tuple[Shown, str]]:
    """Returns the moves that a player can press now, without those that still await an answer."""
    patient_since = time.monotonic() - PATIENCE
    return [
        (shown, token)
        for shown, token in await moves_of(person)
        if chosen.get((person, choice_of(token)), 0.0) < patient_since
    ]


async def choose(
    people: Sequence[Person], chance: random.Random, chosen: Chosen, game: int = 1
) -> tuple[Person, Shown, str]:
    """Waits until a player can move in the `game`-th game, and chooses a move at random."""
    while True:
        for is_idle in (False, True):
            for person in chance.sample(people, len(people)):
                if is_idle:
                    await person.looks()

                if choices := await open_choices(person, chosen):
                    bold = [choice for choice in choices if not choice[1].endswith(TAKE)]
                    is_bold = bold and chance.random() < BOLDNESS
                    candidates = bold if is_bold else choices
                    shown, token = chance.choice(candidates)
                    chosen[person, choice_of(token)] = time.monotonic()
                    return person, shown, token

        if await result(people[0], game) is not None:
            raise GameOverError

        await asyncio.sleep(3 * PAUSE)


async def play_on(
    people: Sequence[Person],
    chance: random.Random,
    presses: int | None = None,
    chosen: Chosen | None = None,
    *,
    game: int = 1,
) -> None:
    """Presses random moves until the game is over, or until so many `presses`.

    `chosen` holds earlier choices, and is added to; `game` is the number of the game, of those seen.
    """
    done = 0
    chosen = {} if chosen is None else chosen
    async with asyncio.timeout(GAME_WITHIN):
        while presses is None or done < presses:
            try:
                person, shown, token = await choose(people, chance, chosen, game)
                await person.presses(shown, token)
            except GameOverError:
                return
            except LookupError:
                continue  # the hand was redrawn meanwhile, so a person would have missed the button

            done += 1


def choice_of(token: str) -> str:
    """Returns the table and the version of a move's token."""
    return token.rpartition(":")[0]


async def result(person: Person, game: int = 1) -> Shown | None:
    """Returns the public result of the `game`-th game, if it is there."""
    ends = [shown for shown in await person.public() if any(words in shown.text for words in RESULTS)]
    return ends[game - 1] if len(ends) >= game else None
