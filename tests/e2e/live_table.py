"""Players at the page's live table: with a finger, with a mouse, by keys alone.

Nobody polls: the page announces a player's turn, as it does to people.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import CDPSession, Frame, JSHandle

from tests.e2e import discord, telegram
from tests.e2e.chats import Person
from tests.e2e.game import play_on, press
from tests.wire.browser import STANDS_STILL, Guest

BOLDNESS = 0.95  # the share of cards laid where there is a choice
PATIENCE = 3_000  # milliseconds after which a player repeats a move without effect
WITHIN = 150.0  # seconds for a game, on a machine that is busy with other tests
_EYES = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
Spot = tuple[float, float]  # pixels from the left and from the top


@dataclass(frozen=True)
class Sight:
    """The cards and buttons that a player can touch now.

    Attributes:
        numbers: The keys of the playable cards; `cards`: their places.
        choices: The meanings of the chosen cards, and rare moves; `buttons`: with Take and Done.
        targets: The cards that the chosen one beats, and finally the table itself.
    """

    is_over: bool
    version: int
    cards: Sequence[Spot]
    numbers: Sequence[int]
    choices: Sequence[Spot]
    buttons: Sequence[Spot]
    can_take: bool
    targets: Sequence[Spot]


class Player:
    """A player at the table, on its own page or in a `frame` that fills the screen of a chat."""

    def __init__(self, guest: Guest, chance: random.Random, frame: Frame | None = None) -> None:
        self.guest = guest
        self.chance = chance
        self._frame = frame
        self._eyes: JSHandle | None = None

    async def plays(self, way: "Way", *, is_in_chat: bool = False) -> None:
        """Plays in this way until the game is over.

        `is_in_chat`: The table is that of a chat, without the list of messages that shows the version.
        """
        eyes = self._eyes = await (self._frame or self.guest.page).evaluate_handle(_EYES)
        version = 0
        while True:
            last = -1 if is_in_chat else version
            await eyes.evaluate("(eyes, [last, patience]) => eyes.turn(last, patience)", [last, PATIENCE])
            await self._sees_nothing_move()
            sight = await self.sees()
            if sight.is_over:
                return

            version = sight.version
            await way(self, sight)

    async def _sees_nothing_move(self) -> None:
        if self._frame is None:
            await self.guest.sees_nothing_move()
        else:
            await self._frame.evaluate(STANDS_STILL)

    async def sees(self) -> Sight:
        assert self._eyes is not None
        seen: dict[str, Any] = await self._eyes.evaluate("eyes => eyes.sight()")
        return Sight(**seen)

    def lays_a_card(self, sight: Sight) -> bool:
        """Decides at random whether to lay a card rather than to press a button."""
        return bool(sight.cards) and (not sight.buttons or self.chance.random() < BOLDNESS)


Way = Callable[[Player, Sight], Awaitable[None]]


async def _touches(player: Player, sight: Sight, touch: Callable[[float, float], Awaitable[None]]) -> None:
    """Touches a card and one of its meanings, or a button twice: at most two touches a move."""
    if player.lays_a_card(sight):
        card = player.chance.choice(sight.cards)
        await touch(*card)
        choices = (await player.sees()).choices
        await touch(*player.chance.choice(choices or [card]))
    elif sight.buttons:
        await touch(*sight.buttons[0])
        await touch(*sight.buttons[0])


async def taps(player: Player, sight: Sight) -> None:
    """Plays with a finger."""
    await _touches(player, sight, player.guest.page.touchscreen.tap)


async def clicks(player: Player, sight: Sight) -> None:
    """Plays with a mouse."""
    await _touches(player, sight, player.guest.page.mouse.click)


class Finger:
    """A finger that is put down, moved and lifted; the browser interprets it, as on a phone."""

    def __init__(self, devtools: CDPSession) -> None:
        self._devtools = devtools

    async def drags(self, player: Player, sight: Sight) -> None:
        """Plays by dragging cards to their places."""
        if not player.lays_a_card(sight):
            await taps(player, sight)
            return

        x, y = player.chance.choice(sight.cards)
        await self._moves("touchStart", (x, y))
        await self._moves("touchMove", (x, y - 60))
        to_x, to_y = (await player.sees()).targets[0]
        await self._moves("touchMove", ((x + to_x) / 2, (y + to_y) / 2), (to_x, to_y))
        await self._moves("touchEnd")
        choices = (await player.sees()).choices
        if choices:  # the card means several things there
            await player.guest.page.touchscreen.tap(*choices[0])

    async def _moves(self, how: str, *spots: Spot) -> None:
        for spot in spots or (None,):
            points = [] if spot is None else [{"x": spot[0], "y": spot[1]}]
            await self._devtools.send("Input.dispatchTouchEvent", {"type": how, "touchPoints": points})


async def types(player: Player, sight: Sight) -> None:
    """Plays with keys alone."""
    keys = player.guest.page.keyboard
    chance = player.chance
    await keys.press("Escape")

    if sight.numbers and player.lays_a_card(sight):
        await keys.press(str(chance.choice(sight.numbers)))
        if len((await player.sees()).choices) > 1:
            await keys.press("ArrowUp")

        await keys.press("Enter")
        return

    key = "t" if sight.can_take else "d"
    await keys.press(key)
    await keys.press(key)


# --- games between the live table of a chat and the chat itself ---


async def plays_by_touch(player: Player) -> None:
    """Taps until the game is over."""
    await player.plays(taps, is_in_chat=True)


async def plays_in_the_room(member: discord.Member | telegram.Member) -> None:
    """Opens a player's hand in the room, where they use it from then on."""
    member.is_patient = True
    await press(member, "My hand")


async def nothing_comes_to_the_chat(player: Player, member: Person, others: Sequence[Person]) -> None:
    """Checks that the chat sends a player at the live table nothing while others move."""
    kept = [shown.text for shown in await member.keeps()]
    rang = len(member.rang())

    playing = asyncio.create_task(plays_by_touch(player))
    await play_on(others, random.Random(0), 3)
    playing.cancel()

    assert [shown.text for shown in await member.keeps()] == kept
    assert len(member.rang()) == rang


async def play_to_the_end(player: Player, others: Awaitable[None]) -> None:
    """Plays at the live table until the game is over, beside `others` in the chat."""
    async with asyncio.timeout(WITHIN), asyncio.TaskGroup() as together:
        together.create_task(plays_by_touch(player))
        together.create_task(_wait_for(others))


async def _wait_for(others: Awaitable[None]) -> None:
    await others
