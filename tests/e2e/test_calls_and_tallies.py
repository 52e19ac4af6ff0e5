"""People are invited, called and marked by day but not at night, although the bot is killed in between.

One story for each chat: a game with real cards and its fool's say, an invitation at night and one by day, a
promised call, and the fool's mark. Boris reads Russian, the others English.
"""

import asyncio
from datetime import UTC, datetime
from typing import Protocol

import pytest

from tests.e2e.chats import Chat, Person, Shown
from tests.e2e.discord import Member as DiscordMember
from tests.e2e.discord import Place
from tests.e2e.game import button, hand_with, heard, newest_public, press, until
from tests.e2e.process import BotProcess
from tests.e2e.telegram import Group
from tests.e2e.telegram import Member as TelegramMember
from tests.wire.discord import Right
from tests.wire.discord.world import Role
from tests.wire.telegram import Status

pytestmark = pytest.mark.parametrize("chat", ["telegram", "discord"], indirect=True)

DECISION_SECONDS = 5.0  # seconds after which a new table calls people, and some more
BUSY_SECONDS = 90.0  # a room takes a few changes a minute, so that a busy one shows the next one late

RESIGN = {"en": ("🚪 Leave", "Resign"), "ru": ("🚪 Выйти", "Сдаться")}


class Village(Protocol):
    """A chat with Anna, an admin, Boris and Clara: its commands that name people, its pings and marks."""

    @property
    def anna(self) -> Person: ...

    @property
    def boris(self) -> Person: ...

    @property
    def clara(self) -> Person: ...

    async def sets(self, words: str) -> None:
        """Changes a setting as Anna."""

    async def enters_game(self) -> None:
        """Enters a game with real cards as Anna, with Boris as the fool and Clara as another player."""

    async def invites_boris(self, who: Person) -> None:
        """Opens a table as `who`, and invites Boris to it."""

    def pings_of_boris(self) -> int:
        """Counts the messages in the room that made his phone ring."""

    def marked(self) -> set[str]:
        """Returns the names of the people with the fool's mark."""


class TelegramVillage:
    """A Telegram group."""

    def __init__(
        self, chat: Group, anna: TelegramMember, boris: TelegramMember, clara: TelegramMember
    ) -> None:
        self.chat = chat
        self.anna = anna
        self.boris = boris
        self.clara = clara

        group = chat.group
        group.members[anna.person.id] = Status.ADMINISTRATOR
        group.bot = Status.ADMINISTRATOR
        group.bot_rights = {"can_manage_tags"}

        for member, language in ((anna, "en"), (boris, "ru"), (clara, "en")):
            member.person.language = language

    async def sets(self, words: str) -> None:
        await self.anna.types(f"/settings {words}")

    async def enters_game(self) -> None:
        players = (self.boris.person, self.clara.person)
        self.anna.person.says("/fool add Boris Clara", in_=self.chat.group, mentioning=players)

    async def invites_boris(self, who: Person) -> None:
        assert isinstance(who, TelegramMember)
        who.person.says("/durak Boris", in_=self.chat.group, mentioning=[self.boris.person])

    def pings_of_boris(self) -> int:
        mention = f"tg://user?id={self.boris.person.id}"
        posts = self.chat.server.transcript.of("sendMessage", "sendPhoto")
        return len([sent for sent in posts if sent.chat == self.chat.group.id and mention in sent.words])

    def marked(self) -> set[str]:
        names = {member.person.id: member.name for member in (self.anna, self.boris, self.clara)}
        return {names[user] for user, tag in self.chat.group.tags.items() if tag}


class DiscordVillage:
    """A Discord server."""

    def __init__(self, chat: Place, anna: DiscordMember, boris: DiscordMember, clara: DiscordMember) -> None:
        self.chat = chat
        self.anna = anna
        self.boris = boris
        self.clara = clara

        guild = chat.guild
        guild.members[anna.person.account.id] = Right.MODERATOR
        guild.bot_role = Role("Durak", 5, Right.MANAGE_ROLES, is_managed=True)
        guild.roles.append(guild.bot_role)
        boris.person.account.locale = "ru"

    async def sets(self, words: str) -> None:
        await self.anna.person.commands("settings", in_=self.chat.channel, change=words)

    async def enters_game(self) -> None:
        people = {"fool": self.boris.person, "player_2": self.clara.person}
        await self.anna.person.commands("fool", in_=self.chat.channel, what="add", **people)

    async def invites_boris(self, who: Person) -> None:
        assert isinstance(who, DiscordMember)
        await who.person.commands("durak", in_=self.chat.channel, friend=self.boris.person)

    def pings_of_boris(self) -> int:
        boris = self.boris.person.account.id
        entries = self.chat.server.state.transcript.public_in(self.chat.channel)
        return len({entry.message.id for entry in entries if boris in entry.message.notified})

    def marked(self) -> set[str]:
        names = {member.person.account.id: member.name for member in (self.anna, self.boris, self.clara)}
        marks = [role for role in self.chat.guild.roles if not role.is_managed]
        return {names[holder] for role in marks for holder in role.holders}


async def village_in(chat: Chat) -> Village:
    people = [await chat.newcomer(name) for name in ("Anna", "Boris", "Clara")]
    if isinstance(chat, Group):
        members = [person for person in people if isinstance(person, TelegramMember)]
        return TelegramVillage(chat, *members)

    assert isinstance(chat, Place)
    return DiscordVillage(chat, *[person for person in people if isinstance(person, DiscordMember)])


async def private_with(person: Person, words: str) -> Shown:
    """Waits for a private message with these words."""

    async def look() -> Shown | None:
        return next((shown for shown in await person.private() if words in shown.text), None)

    return await until(look, f"{words!r} in private")


async def resigns(person: Person, language: str) -> None:
    for label in RESIGN[language]:
        shown, token = await hand_with(person, label)
        await person.presses(shown, token)


async def test_people_have_a_say_and_are_called_by_day_though_the_bot_is_killed(
    chat: Chat, bot: BotProcess
) -> None:
    village = await village_in(chat)
    await the_fool_of_a_game_with_real_cards_is_asked(village, bot)
    await nobody_is_called_at_night(village, bot)
    await who_is_invited_is_called_once_by_day(village, bot)
    await the_mark_moves_and_who_waits_is_called(village, bot)


async def the_fool_of_a_game_with_real_cards_is_asked(village: Village, bot: BotProcess) -> None:
    boris = village.boris
    await village.sets("quiet off")
    await heard(boris, "/fool")  # the bot learns his language
    await village.enters_game()
    await newest_public(village.anna, "Boris is the fool!")
    await bot.restart_after_a_crash()

    question = await private_with(boris, "Так и было?")
    assert "Всё верно" in question.buttons.values()
    assert sum("Так и было?" in text for text in boris.rang()) == 1

    await press(boris, "That’s right")

    async def is_settled() -> bool:
        return not any("Всё верно" in shown.buttons.values() for shown in await boris.private())

    await until(is_settled, "the question to be settled in private")
    await village.anna.types("/fool")
    await newest_public(village.anna, "Boris · 1 of 1 game")


async def nobody_is_called_at_night(village: Village, bot: BotProcess) -> None:
    hour = datetime.now(UTC).hour
    await village.sets(f"quiet {(hour - 1) % 24}-{(hour + 2) % 24}")
    await village.invites_boris(village.anna)
    await button(village.anna, "Join")
    await bot.restart_after_a_crash()
    await asyncio.sleep(DECISION_SECONDS)
    assert village.pings_of_boris() == 0

    await village.anna.types("/stop")
    await newest_public(village.anna, "table is closed.", within=BUSY_SECONDS)
    await village.sets("quiet off")


async def who_is_invited_is_called_once_by_day(village: Village, bot: BotProcess) -> None:
    boris = village.boris
    await village.invites_boris(village.clara)
    await newest_public(village.clara, "Clara (host)")
    await bot.restart_after_a_crash()

    invitation = await newest_public(boris, "Clara invites you to play")
    assert village.pings_of_boris() == 1

    await boris.presses(invitation, invitation.token("I’m in"))


async def asks_for_the_next_game(onlooker: Person) -> None:
    """Presses the button at the table or, where the table has none, in the answer about the hand."""
    shown, token = await button(onlooker, "🔔 Notify me", "My hand")
    await onlooker.presses(shown, token)
    if shown.buttons[token] == "My hand":
        await onlooker.presses(*await hand_with(onlooker, "🔔 Notify me of the next game"))


async def the_mark_moves_and_who_waits_is_called(village: Village, bot: BotProcess) -> None:
    await village.sets("worn on")
    await press(village.clara, "Start", "Start now")
    await asks_for_the_next_game(village.anna)
    await private_with(village.anna, "I’ll call you once")
    await resigns(village.boris, "ru")
    await until(lambda: wears(village, "Boris"), "the mark on Boris")
    await bot.restart_after_a_crash()

    await press(village.boris, "Rematch")
    await press(village.clara, "Rematch", "Join")
    call = await private_with(village.anna, "opened a table")
    assert "“Friends”" in call.text

    await press(village.boris, "Start", "Start now")
    await resigns(village.clara, "en")
    await until(lambda: wears(village, "Clara"), "the mark on Clara alone")

    assert village.pings_of_boris() == 1
    assert sum("opened a table" in text for text in village.anna.rang()) == 1


async def wears(village: Village, name: str) -> bool:
    return village.marked() == {name}
