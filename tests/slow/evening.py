"""Plays an evening of four on Discord, and prints every message as its readers see it.

    python -m tests.slow.evening --language de > evening.txt

A message is printed whole when it appears, and later only with the lines that changed. It ends with an error
if a request was not valid, provided that `DURAK_SPECS` leads to Discord's description.
"""

import asyncio
import random
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import suppress
from difflib import ndiff
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.locale.translator import LOCALES, Translator
from bot.model.series import ROUNDS
from tests.e2e.chats import Shown
from tests.e2e.discord import Member, Place, discord_server
from tests.e2e.game import Chosen, choice_of, moves_of, open_choices, until
from tests.e2e.process import BotProcess
from tests.wire.discord import Channel, DiscordServer, Interaction, Message, Person, Right
from tests.wire.discord.component_tree import Component, Type
from tests.wire.discord.markdown import readable

QUIET_SECONDS = 1.5  # longer than the pause between two edits of a table
SETTLED_WITHIN = 20.0
GAME_WITHIN = 300.0


class Reader:
    """Prints what has come to a Discord since it last looked."""

    def __init__(self, server: DiscordServer) -> None:
        self._server = server
        self._read = 0
        self._known: dict[int, list[str]] = {}
        self._deleted = set[int]()

    async def reads(self, *, quiet: float = QUIET_SECONDS) -> None:
        """Waits until no more messages arrive, and prints the new ones."""
        await self._until_it_is_quiet(quiet)
        entries = self._server.state.transcript.entries[self._read :]
        self._read += len(entries)

        for message in dict.fromkeys(entry.message for entry in entries):
            if not message.deleted:
                self._print(message)

        for channel in self._server.state.channels.values():
            for message in channel.messages.values():
                if message.deleted and message.id in self._known and message.id not in self._deleted:
                    self._deleted.add(message.id)
                    print(f"\n  [{_readers(message)}: deleted] {self._known[message.id][0]}")

    async def _until_it_is_quiet(self, quiet: float) -> None:
        entries = self._server.state.transcript.entries
        deadline = time.monotonic() + SETTLED_WITHIN
        count = -1
        while count != len(entries) and time.monotonic() < deadline:
            count = len(entries)
            await asyncio.sleep(quiet)

    def _print(self, message: Message) -> None:
        lines = list(_lines(message))
        before = self._known.get(message.id)
        self._known[message.id] = lines
        if before == lines:
            return

        change = "new" if before is None else "changed"
        called = ", ".join(account.name for account in message.mentioned if account.id in message.notified)
        rings = f", rings {called}" if called and before is None else ""
        print(f"\n  [{_readers(message)}: {change}{rings}]")
        shown = lines if before is None else [line for line in ndiff(before, lines) if line[:1] in "+-"]
        print(*(f"  {line}" for line in shown), sep="\n")


def _readers(message: Message) -> str:
    if message.only is not None:
        return f"#{message.channel.name}, only {message.only.name}"
    if message.channel.recipient is not None:
        return f"private, {message.channel.recipient.name}"
    return f"#{message.channel.name}"


def _lines(message: Message) -> Iterator[str]:
    """Yields the lines of a message in the order of its parts, with buttons in brackets."""
    names = {account.id: account.name for account in message.mentioned}
    yield from readable(message.content, names).splitlines()
    if not message.components or message.components[0]["type"] == Type.ROW:
        yield from (f"<file {file.filename}: {file.description}>" for file in message.files)

    for component in message.components:
        yield from _lines_of(component, names)


def _lines_of(component: Component, names: dict[int, str]) -> Iterator[str]:
    match component["type"]:
        case Type.CONTAINER:
            colour = component.get("accent_color")
            yield "┌" if colour is None else f"┌ #{colour:06x}"
            for part in component["components"]:
                yield from (f"│ {line}" for line in _lines_of(part, names))
        case Type.TEXT:
            yield from readable(component["content"], names).splitlines()
        case Type.GALLERY:
            yield from (f"<picture: {item['description']}>" for item in component["items"])
        case Type.FILE:
            yield f"<file {component['name']}>"
        case Type.ROW:
            yield " ".join(_control(part) for part in component["components"])
        case _:
            yield "───"


def _control(part: Component) -> str:
    if part["type"] == Type.MENU:
        options = " | ".join(
            f"*{option['label']}" if option.get("default") else option["label"] for option in part["options"]
        )
        return f"[{part['placeholder']} ▾: {options}]"

    label = f"[{part['label']}]"
    if part.get("disabled"):
        return f"{label} (disabled)"
    return f"{label} ↗" if "url" in part else label


class Evening:
    """Four people at a table, somebody who looks on, and the owner of the server."""

    def __init__(self, place: Place, language: str) -> None:
        self.place = place
        self.translator = Translator(language)
        self.reader = Reader(place.server)
        self.chance = random.Random(4)
        self._locale = "en-US" if language == "en" else language

    async def arrives(self) -> None:
        """Lets everybody in; Boris accepts no direct messages."""
        people = [await self.place.newcomer(name) for name in ("Anna", "Boris", "Clara", "Dima", "Elena")]
        self.anna, self.boris, self.clara, self.dima, self.elena = people
        self.boris.person.account.accepts_direct_messages = False
        guild = self.place.guild
        self.owner = self._as_member(Person(guild.owner, self.place.server.community))
        for account in (guild.owner, *(member.person.account for member in people)):
            account.locale = self._locale

    def _as_member(self, person: Person, channel: Channel | None = None) -> Member:
        return Member(self.place.server, channel or self.place.channel, person)

    @property
    def four(self) -> Sequence[Member]:
        return (self.anna, self.boris, self.clara, self.dima)

    # --- steps --------------------------------------------------------------------------------------------

    async def types(self, member: Member, name: str, channel: Channel | None = None, **options: str) -> None:
        given = " ".join(f"{key}:{value}" for key, value in options.items())
        print(f"\n=== {member.name}: /{name} {given}")
        await member.person.commands(name, in_=channel or self.place.channel, **options)
        await self.reader.reads()

    async def presses(self, member: Member, english: str, *, in_private: bool = False) -> Interaction:
        """Presses the newest button or choice with this label, or with this name before its value."""
        label = self.translator.text(english)

        async def look() -> tuple[Message, str] | None:
            messages = member.person.sees_alone() if in_private else self._everything(member)
            for message in reversed(messages):
                for token, shown in _choices(message).items():
                    if shown == label or shown.startswith((f"{label}:", f"{label} :")):
                        return message, token
            return None

        message, token = await until(look, f"{label!r} for {member.name}")
        print(f"\n=== {member.name} presses [{_choices(message)[token]}]")
        interaction = await member.person.presses(message, token)
        _print_box(interaction)
        await self.reader.reads()
        return interaction

    def _everything(self, member: Member) -> list[Message]:
        public = [message for message in member.person.sees(self.place.channel) if message.only is None]
        return sorted([*public, *member.person.sees_alone()], key=lambda message: message.id)

    async def fills_in(self, member: Member, press: Interaction, text: str) -> None:
        print(f"\n=== {member.name} types {text!r} into the box")
        await member.person.fills_in(press, text)
        await self.reader.reads()

    async def first_move(self) -> tuple[Member, tuple[Shown, str]]:
        """Waits for the first player who can move, and returns their first button."""

        async def look() -> tuple[Member, tuple[Shown, str]] | None:
            for member in self.four:
                if moves := await moves_of(member):
                    return member, moves[0]
            return None

        return await until(look, "somebody who can move")

    async def plays(self, *, moves: int | None = None) -> None:
        """Plays the game to its end, or so many moves."""
        chosen = Chosen()
        done = 0
        before = await self._results()
        async with asyncio.timeout(GAME_WITHIN):
            while (moves is None or done < moves) and await self._results() == before:
                for member in self.chance.sample(self.four, 4):
                    if choices := await open_choices(member, chosen):
                        await self._moves(member, choices, chosen)
                        done += 1
                        break
                else:
                    await asyncio.sleep(0.2)
                    for member in self.four:
                        await member.looks()

        await self.reader.reads()

    async def _moves(self, member: Member, choices: Sequence[tuple[Shown, str]], chosen: Chosen) -> None:
        bold = [choice for choice in choices if not choice[1].endswith(":T")]
        is_bold = bold and self.chance.random() < 0.8
        shown, token = self.chance.choice(bold if is_bold else choices)
        chosen[member, choice_of(token)] = time.monotonic()
        print(f"\n=== {member.name} presses [{shown.buttons[token]}]")
        with suppress(LookupError):  # the hand was redrawn meanwhile
            await member.presses(shown, token)
        await self.reader.reads(quiet=0.1)

    async def _results(self) -> int:
        """Counts the results of games that the room shows."""
        below = self.translator.text("My mistakes")
        return sum(below in shown.buttons.values() for shown in await self.anna.public())


def _choices(message: Message) -> dict[str, str]:
    options = [option for menu in message.menus for option in menu["options"]]
    found = {option["value"]: option["label"] for option in options}
    enabled = [button for button in message.buttons if "custom_id" in button and not button.get("disabled")]
    return found | {button["custom_id"]: button["label"] for button in enabled}


def _print_box(interaction: Interaction) -> None:
    if box := interaction.box:
        (label,) = box["components"]
        typed = label["component"]
        print(f"\n  [box for {interaction.person.name}] {box['title']}")
        print(f"  {label['label']}: {typed.get('placeholder', '')} {typed.get('value') or ''}")


async def play(language: str) -> None:
    """Plays an evening in this language."""
    with TemporaryDirectory() as folder:
        async with discord_server() as place:
            bot = BotProcess(Path(folder), place.settings)
            await bot.start()
            evening = Evening(place, language)
            await evening.arrives()
            await _before_the_game(evening)
            await _first_game(evening)
            await _after_the_game(evening)
            await _second_game(evening)
            await _elsewhere(evening)
            await _cup(evening)
            assert await bot.stop() == 0


async def _before_the_game(evening: Evening) -> None:
    """Sets the server up as the owner; the others read the help and the rules."""
    owner, elena = evening.owner, evening.elena
    await evening.types(owner, "settings")
    await evening.presses(owner, "🎭 Around the game")
    await evening.types(owner, "settings", change="bets on")
    await evening.types(owner, "settings", change="quiet off")
    await evening.types(owner, "settings", change="nonsense 5")
    await evening.types(owner, "settings")
    await evening.presses(owner, "🎭 Around the game")
    await evening.presses(owner, "Quiet hours")
    box = await evening.presses(owner, "Other hours")
    await evening.fills_in(owner, box, "23-9")
    await evening.types(owner, "settings", change="quiet off")
    await evening.types(elena, "settings", change="bets off")
    await evening.types(elena, "help")
    await evening.types(elena, "rules", preset="perevodnoy")
    await evening.types(elena, "stats")
    await evening.types(elena, "leaderboard")
    await evening.types(elena, "fool")
    await evening.types(elena, "hand")


async def _first_game(evening: Evening) -> None:
    """Opens a lobby by commands, with settings, a bet, a wrong move and a stale press."""
    anna, boris, clara, dima = evening.four
    await evening.types(anna, "durak", preset="nonsense")
    await evening.types(anna, "durak", options="thrw_in=all")
    await evening.types(anna, "durak", preset="perevodnoy", options="deck=24 hand_size=4")
    await evening.types(clara, "durak")
    await evening.presses(boris, "Join")
    await evening.presses(boris, "Join")
    await evening.presses(clara, "Join")
    await evening.presses(clara, "Start")
    await evening.presses(clara, "Settings")
    await evening.presses(anna, "Settings")
    await evening.presses(anna, "Throwing in")
    await evening.presses(anna, "the neighbours")
    await evening.presses(anna, "OK")
    await evening.presses(dima, "Join")
    await evening.presses(anna, "Start")
    await evening.types(boris, "play", move="9x")
    await evening.types(boris, "rules")
    await evening.presses(evening.elena, "🔮 Who loses?")
    await evening.presses(evening.elena, "Clara")
    attacker, (hand, token) = await evening.first_move()
    await evening.plays(moves=8)
    print(f"\n=== {attacker.name} presses [{hand.buttons[token]}], which has long gone")
    await attacker.forces(hand, token)
    await evening.reader.reads()
    await evening.plays()


async def _after_the_game(evening: Evening) -> None:
    for name in ("stats", "leaderboard", "fool", "me", "verify"):
        await evening.types(evening.boris, name)
    await evening.types(evening.dima, "review")


async def _second_game(evening: Evening) -> None:
    anna, boris, _, dima = evening.four
    await evening.presses(boris, "Rematch")
    await evening.presses(anna, "Join")
    await evening.presses(dima, "Join")
    await evening.presses(anna, "Start")
    await evening.presses(dima, "More…")
    await evening.presses(dima, "Change seat", in_private=True)
    await evening.presses(boris, "Start")
    await evening.presses(evening.elena, "My hand")
    await evening.presses(evening.elena, "🔔 Notify me of the next game", in_private=True)
    await evening.plays()
    await evening.presses(dima, "🔔 Notify me of the next game")
    await evening.presses(dima, "📣 Let these players invite me", in_private=True)


async def _elsewhere(evening: Evening) -> None:
    channel = evening.place.server.state.channel(evening.place.guild, "no-links")
    channel.bot_rights &= ~Right.EMBED_LINKS
    await evening.types(evening.elena, "durak", channel, options="bots")


async def _cup(evening: Evening) -> None:
    """Plays a cup of four, from the sign-up to the winner."""
    anna, *others = evening.four
    await evening.types(anna, "cup", preset="podkidnoy-24", time="23:30")
    for member in (evening.elena, *others):
        await evening.presses(member, "I'm in")
    await evening.presses(evening.elena, "Not coming")
    await evening.presses(anna, "Begin now")
    for _ in range(ROUNDS + 1):
        await evening.presses(evening.boris, "My hand")  # no direct message brings his cards
        await evening.plays()


def main() -> None:
    """Plays an evening in the language that the command line asks for."""
    parser = ArgumentParser(prog="python -m tests.slow.evening", description=__doc__.splitlines()[0])
    parser.add_argument("--language", choices=LOCALES, default="en", help="what everybody speaks")
    asyncio.run(play(parser.parse_args().language))


if __name__ == "__main__":
    main()
