"""Hops between chats on a phone in whole games: `python -m tests.bench.hops --help`.

Three friends prefer the room: each reads it, goes to the cards when the turn comes, and returns when another
player has the turn. Everything is counted at the chat's end of the wire.
"""

import asyncio
import random
from argparse import ArgumentDefaultsHelpFormatter, ArgumentParser
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from tempfile import TemporaryDirectory

from engine import State
from engine.runtime import Author
from tests.e2e import discord, telegram
from tests.e2e.chats import Shown
from tests.e2e.discord import Place, discord_server
from tests.e2e.game import MOVE, TAKE, gather, press
from tests.e2e.process import BotProcess
from tests.e2e.record import games, journal
from tests.e2e.start import ROOT
from tests.e2e.telegram import Group, telegram_group
from tests.wire.discord import Message as DiscordMessage
from tests.wire.telegram import Ephemerals
from tests.wire.telegram import Message as TelegramMessage
from tests.wire.telegram.transcript import POSTS

NAMES = ("Anna", "Boris", "Clara")
RULES = "/durak podkidnoy-24"
# seconds between two polls, and after which a player asks for the cards
PAUSE = 0.05
PATIENCE = 2.0

Member = discord.Member | telegram.Member


@dataclass
class Count:
    """The counts of all friends together."""

    moves: int = 0
    hops: int = 0
    taps: int = 0
    notifications: int = 0
    calls: int = 0

    def __add__(self, other: "Count") -> "Count":
        return Count(*(getattr(self, field.name) + getattr(other, field.name) for field in fields(Count)))


class Wire:
    """The chat's end of the wire: the calls on it, and the place of each message."""

    def __init__(self, place: Group | Place) -> None:
        self._place = place

    def is_in_room(self, shown: Shown) -> bool:
        if isinstance(shown.message, TelegramMessage):
            return shown.message.chat.kind != "private"
        assert isinstance(shown.message, DiscordMessage)
        return shown.message.channel.guild is not None

    def calls(self) -> int:
        place = self._place
        return len(place.server.transcript.entries) if isinstance(place, Group) else len(place.requests())

    def notifications(self, member: Member) -> int:
        """Returns how often a player's phone has announced a message of the bot."""
        if isinstance(self._place, Group):
            readable = self._place.server.transcript.readable_by(int(_id(member)))
            posts = [sent for sent in readable if sent.method in POSTS and not sent.refused]
            return len([sent for sent in posts if not sent.parameters.get("disable_notification")])
        return len(member.rang()) + self._place.mentions(int(_id(member)))


class Friend:
    """A player with one phone, which shows either the room or the private chat."""

    def __init__(self, member: Member, wire: Wire) -> None:
        self.member = member
        self.count = Count()
        self._wire = wire
        self._is_in_room = True
        self._pressed = set[tuple[str, str]]()

    async def choice(self, state: State, seat: int, chance: random.Random) -> tuple[Shown, str] | None:
        """Waits for a button that makes a legal move, and prefers the open chat."""
        legal = {str(move) for move in state.legal_moves(seat)}
        for _ in range(int(PATIENCE / PAUSE)):
            offered = [(shown, token) for shown in await self.member.private() for token in shown.buttons]
            moves = [
                each for each in offered if each[1].startswith(MOVE) and each[1].split(":", 3)[3] in legal
            ]
            found = [(shown, token) for shown, token in moves if (token, shown.text) not in self._pressed]
            here = [each for each in found if self._wire.is_in_room(each[0]) is self._is_in_room] or found
            bold = [each for each in here if not each[1].endswith(TAKE)]

            if here:
                return chance.choice(bold or here)

            await asyncio.sleep(PAUSE)

        return None

    async def presses(self, shown: Shown, token: str) -> None:
        """Opens the button's chat and presses it."""
        self._pressed.add((token, shown.text))
        self._looks_at(room=self._wire.is_in_room(shown))
        self.count.taps += 1
        await self.member.presses(shown, token)

    async def asks(self) -> None:
        """Presses My hand at the table, and Start in the private chat if it leads there."""
        self.returns()
        before = _starts(self.member)
        await press(self.member, "My hand")
        self.count.taps += 1
        if _starts(self.member) > before:
            self._looks_at(room=False)
            self.count.taps += 1

    def returns(self) -> None:
        """Returns to the room."""
        self._looks_at(room=True)

    def _looks_at(self, *, room: bool) -> None:
        self.count.hops += self._is_in_room is not room
        self._is_in_room = room


async def counted(place: Group | Place, root: Path, chance: random.Random) -> Count:
    """Plays one game and counts from the deal to the end."""
    with TemporaryDirectory() as folder:
        settings = {**place.settings, "PYTHONPATH": str(root)}
        bot = BotProcess(Path(folder), settings, is_forked=False)
        await bot.start()
        people = await gather(place, NAMES, command=RULES)
        wire = Wire(place)
        friends = {person.name: Friend(person, wire) for person in people if isinstance(person, Member)}
        rang = {name: wire.notifications(friend.member) for name, friend in friends.items()}
        before = wire.calls()

        for friend in friends.values():
            await friend.asks()

        await _play(bot, friends, chance)
        total = Count(calls=wire.calls() - before)
        authors = [line.author for line in journal(bot.database)]  # letters; words in an older version
        total.moves = len([author for author in authors if author and author[0] == Author.PLAYER])

        for name, friend in friends.items():
            friend.count.notifications = wire.notifications(friend.member) - rang[name]
            total += friend.count

        await bot.stop()

    return total


async def _play(bot: BotProcess, friends: dict[str, Friend], chance: random.Random) -> None:
    last: Friend | None = None
    while (game := games(bot.database)[-1]).outcome is None:
        *_, (_, state) = game.positions()
        seat = chance.choice(sorted(state.awaited))
        friend = friends[str(game.names[seat])]
        if last is not None and last is not friend:
            last.returns()

        last = friend
        if (found := await friend.choice(state, seat, chance)) is None:
            if games(bot.database)[-1].moves == game.moves:
                await friend.asks()
        else:
            await friend.presses(*found)


def _id(member: Member) -> int:
    return member.person.id if isinstance(member, telegram.Member) else member.person.account.id


def _starts(member: Member) -> int:
    """Returns how often a player has pressed Start in the private chat."""
    if isinstance(member, discord.Member):
        return 0
    return len([message for message in member.person.private.messages if message.text.startswith("/start")])


@asynccontextmanager
async def _group(*, are_strangers: bool) -> AsyncIterator[Group]:
    async with telegram_group() as group:
        group.server.ephemerals = Ephemerals.HONOURED
        group.are_strangers = are_strangers
        yield group


@asynccontextmanager
async def _place(*, are_strangers: bool) -> AsyncIterator[Place]:
    async with discord_server() as place:
        place.are_strangers = are_strangers
        yield place


SITUATIONS: dict[str, Callable[[], AbstractAsyncContextManager[Group | Place]]] = {
    "Telegram, all have opened the private chat": lambda: _group(are_strangers=False),
    "Telegram, nobody has": lambda: _group(are_strangers=True),
    "Discord, direct messages open": lambda: _place(are_strangers=False),
    "Discord, direct messages closed": lambda: _place(are_strangers=True),
}


async def measured(root: Path, rounds: int, names: Sequence[str]) -> None:
    """Prints a line for each situation."""
    print("| games of three | moves | hops | taps | notifications | calls |\n|---|---|---|---|---|---|")
    for name in names:
        total = Count()
        for number in range(rounds):
            async with SITUATIONS[name]() as place:
                total += await counted(place, root, random.Random(number))

        each = [total.hops, total.taps, total.notifications, total.calls]
        figures = " | ".join(f"{figure / total.moves:.2f}" for figure in each)
        print(f"| {name} | {total.moves} | {figures} |", flush=True)


def main() -> None:
    """Counts the chosen situations."""
    parser = ArgumentParser(
        prog="python -m tests.bench.hops",
        description=__doc__,
        formatter_class=ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument("--games", type=int, default=2, help="in each situation")
    parser.add_argument("--root", type=Path, default=ROOT, help="the checkout whose bot plays")
    parser.add_argument("--only", default="", help="situations with these words in their names")
    options = parser.parse_args()
    names = [name for name in SITUATIONS if options.only in name]
    asyncio.run(measured(options.root.resolve(), options.games, names))


if __name__ == "__main__":
    main()
