"""A Discord channel, with players in it."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress

from tests.e2e.chats import Read, Shown, hand_button
from tests.e2e.process import BotProcess
from tests.wire.discord import (
    TOKEN,
    Callback,
    Channel,
    DiscordServer,
    Fault,
    Guild,
    Interaction,
    Message,
    Person,
    until,
)
from tests.wire.discord.state import Request

FOLLOW_UP_WITHIN = 3.0
ANSWERS = "/interactions/{interaction_id}/{interaction_token}/callback"
LATE_ANSWERS = "/webhooks/{webhook_id}/{webhook_token}"
FIELDS = {
    "play": "move",
    "durak": "preset",
    "cup": "preset",
    "rules": "preset",
    "leaderboard": "period",
    "stats": "player",
}


class Member:
    """A player in the guild."""

    def __init__(self, server: DiscordServer, channel: Channel, person: Person) -> None:
        self._server = server
        self._channel = channel
        self.person = person
        self.is_patient = False
        """Whether they wait for their hand to change by itself."""

    @property
    def name(self) -> str:
        return self.person.account.name

    async def types(self, line: str) -> str:
        name, *words = line.removeprefix("/").split()
        if name == "play":  # a move may have several words
            words = [" ".join(words)] if words else []

        options: dict[str, str | Person] = {}
        if words and "=" not in words[0]:
            options[FIELDS[name]] = words.pop(0)

        if words:
            options["options"] = " ".join(words)

        interaction = await self.person.commands(name, in_=self._channel, **options)
        return "\n".join(message.text for message in interaction.ephemeral)

    def speaks(self, language: str) -> None:
        """Changes the language of the person's client."""
        self.person.account.locale = language

    async def public(self) -> Sequence[Shown]:
        return [_shown(message) for message in self.person.sees(self._channel) if message.only is None]

    async def private(self) -> Sequence[Shown]:
        return [_shown(message) for message in self.person.sees_alone()]

    async def presses(self, shown: Shown, token: str) -> str:
        assert isinstance(shown.message, Message)
        return _notice(await self.person.presses(shown.message, token))

    async def forces(self, shown: Shown, token: str) -> str:
        interaction = await self._press(shown, token)
        if interaction.callback is not Callback.UPDATE:
            return _notice(interaction)
        if written := _notice_on(interaction.message):
            return written

        with suppress(AssertionError):  # the notice comes after the new hand
            await until(lambda: _notice(interaction), within=FOLLOW_UP_WITHIN)
        return _notice(interaction)

    async def _press(self, shown: Shown, token: str) -> Interaction:
        assert isinstance(shown.message, Message)
        return await self.person.presses(shown.message, token, forged=True)

    async def looks(self) -> None:
        if not self.is_patient and (found := await hand_button(self)):
            await self._press(*found)

    def has_read(self) -> Sequence[Read]:
        return [
            Read(sent.at, sent.text) for sent in self._server.state.transcript.seen_by(self.person.account)
        ]

    async def keeps(self) -> Sequence[Shown]:
        return [_shown(message) for message in self.person.sees_alone() if message.only is None]

    def rang(self) -> Sequence[str]:
        return [sent.text for sent in self._server.state.transcript.rang_for(self.person.account)]


class Place:
    """One guild with one channel."""

    admits_the_nameless = True

    def __init__(self, server: DiscordServer, guild: Guild) -> None:
        self.server = server
        self.guild = guild
        self.channel = server.state.channel(guild, "cards")

        self.are_strangers = False
        """Whether no one takes direct messages."""

        self.settings: Mapping[str, str] = {
            "DURAK_DISCORD_TOKEN": TOKEN,
            "DURAK_DISCORD_API_URL": server.api_url,
            "DURAK_DISCORD_CDN_URL": server.cdn_url,
            "DURAK_DISCORD_GATEWAY_URL": server.gateway_url,
        }

    async def met(self, bot: BotProcess) -> None:
        """Does nothing: the bot has connected by itself."""

    def requests(self) -> Sequence[Request]:
        """Returns all requests of the bot."""
        return self.server.state.requests

    def mentions(self, account: int) -> int:
        """Counts the messages in the channel that mention a player."""
        return len([message for message in self.channel.messages.values() if account in message.notified])

    def keeps_an_arrival_to_itself(self) -> None:
        """Posts the bot's next answer, but drops the confirmation to the bot."""
        for path in (ANSWERS, LATE_ANSWERS):
            self.server.state.faults.add(Fault("POST", path, silence=60.0, says=b"components"))

    async def newcomer(self, name: str) -> Member:
        person = self.server.person(name)
        person.account.accepts_direct_messages = not self.are_strangers
        self.guild.add_member(person.account)
        return Member(self.server, self.channel, person)


class Friends(Place):
    """A group of friends without a server, one of whom has installed the bot."""

    def __init__(self, server: DiscordServer, guild: Guild) -> None:
        super().__init__(server, guild)
        server.state.can_be_installed = True
        self.channel = server.state.group("Friends")

    async def newcomer(self, name: str) -> Member:
        person = self.server.person(name)
        self.channel.friends.append(person.account)
        return Member(self.server, self.channel, person)


def _notice(interaction: Interaction) -> str:
    return "\n".join(message.text for message in interaction.ephemeral if not message.rows)


def _notice_on(hand: Message | None) -> str:
    """Returns the notice at the top of a hand, whose own first line begins with a sign."""
    first = hand.text.partition("\n")[0].strip("*") if hand is not None else ""
    return first if first[:1].isalpha() else ""


def _shown(message: Message) -> Shown:
    choices = {choice["value"]: choice["label"] for menu in message.menus for choice in menu["options"]}
    buttons = choices | {
        button["custom_id"]: button["label"]
        for button in message.buttons
        if "custom_id" in button and not button.get("disabled")  # the others are links
    }
    return Shown("\n".join([message.text, *message.alternative_texts]), buttons, message)


@asynccontextmanager
async def discord_server(place: type[Place] = Place) -> AsyncIterator[Place]:
    async with DiscordServer() as server:
        yield place(server, server.state.guild("Friends", server.person("Owner").account))


def discord_friends() -> AbstractAsyncContextManager[Place]:
    return discord_server(Friends)
