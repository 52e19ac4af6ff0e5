"""The contract's harness for Discord: one channel of the wire server, and a real adapter in it."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from types import MappingProxyType

from adapters.discord import DiscordAdapter
from adapters.discord.refs import guild_room, user_ref
from adapters.port import (
    ArgumentChoice,
    ArgumentKind,
    ArgumentSpec,
    CommandSpec,
    Delivery,
    Gone,
    Lost,
    Reply,
    RoomRef,
    UserRef,
)
from tests.adapters.contract import Answer, ListeningInbox, Seen, Trait, eventually
from tests.adapters.contract.steps import posted, says
from tests.wire.discord import TOKEN, DiscordServer, Message, Person, Right
from tests.wire.discord.world import Account

WORDS = (ArgumentChoice("add", "add a game"), ArgumentChoice("import", "import a file"))
PERIODS = tuple(ArgumentChoice(period, period) for period in ("week", "month", "all"))
PRESETS = (
    ArgumentChoice("podkidnoy-36", "Podkidnoy", {"ru": "Подкидной"}),
    ArgumentChoice("perevodnoy-36", "Perevodnoy"),
)
SPECS = (
    CommandSpec(
        "durak",
        "Open a table here",
        (
            ArgumentSpec(
                "preset", "The rule set", ArgumentKind.CHOICE, PRESETS, {"ru": "Правила", "de": "Die Regeln"}
            ),
            ArgumentSpec("options", "More rules, such as deck=52", ArgumentKind.SUGGESTED),
        ),
        {"ru": "Открыть стол", "de": "Einen Tisch eröffnen"},
    ),
    CommandSpec("hand", "Show my hand"),
    CommandSpec(
        "leaderboard",
        "Who plays best here",
        (ArgumentSpec("period", "How far back", ArgumentKind.CHOICE, PERIODS),),
    ),
    CommandSpec(
        "rules", "The rules", (ArgumentSpec("preset", "The rule set", ArgumentKind.CHOICE, PRESETS),)
    ),
    CommandSpec("stats", "How somebody plays", (ArgumentSpec("player", "Whose", ArgumentKind.PERSON),)),
    CommandSpec(
        "many",
        "Many options",
        (
            ArgumentSpec(
                "what",
                "What",
                ArgumentKind.CHOICE,
                WORDS,
            ),
            ArgumentSpec("fool", "Who", ArgumentKind.PERSON),
            ArgumentSpec("player_2", "Who else", ArgumentKind.PERSON),
            ArgumentSpec("file", "A file", ArgumentKind.FILE),
        ),
    ),
)


def what(delivery: Delivery) -> Lost | type[Delivery]:
    return delivery.what if isinstance(delivery, Gone) else type(delivery)


def adapter_for(
    server: DiscordServer,
    token: str = TOKEN,
    icons: Mapping[str, bytes] = MappingProxyType({}),
    client_secret: str = "",
) -> DiscordAdapter:
    return DiscordAdapter(
        token,
        commands=SPECS,
        icons=icons,
        api_url=server.api_url,
        cdn_url=server.cdn_url,
        gateway_url=server.gateway_url,
        client_secret=client_secret,
    )


def seen(message: Message) -> Seen:
    """Converts a message of the wire server to the contract's."""
    rows = tuple(
        tuple(button["label"] for button in row if not button.get("disabled")) for row in message.rows
    )
    files = {attachment.filename: attachment.content for attachment in message.files}
    picture = files.pop("picture.png", None)
    assert len(message.attachments) == len(files) + (picture is not None)  # none piled up, and all are seen

    document = next(iter(files.items()), None)
    return Seen(str(message.id), message.text, rows, picture, document)


class DiscordHarness:
    """People in one channel of one guild; its owner takes no part in the tests."""

    traits = frozenset(Trait)

    def __init__(
        self,
        server: DiscordServer,
        icons: Mapping[str, bytes],
        tasks: asyncio.TaskGroup,
        client_secret: str = "",
    ) -> None:
        self.server = server
        self.icons = icons
        self.client_secret = client_secret
        self.inbox = ListeningInbox()
        self.adapter = adapter_for(server, icons=icons, client_secret=client_secret)

        self.guild = server.state.guild("Table friends", server.person("Owner").account)
        self.channel = server.state.channel(self.guild, "cards")
        self.people: dict[UserRef, Person] = {}
        self._tasks = tasks
        self._running: asyncio.Task[None] | None = None

    @property
    def room(self) -> RoomRef:
        return guild_room(self.guild.id, self.channel.id)

    async def start(self) -> None:
        self._running = self._tasks.create_task(self.adapter.run(self.inbox))
        await eventually(lambda: self.adapter.ready)

    async def stop(self) -> None:
        if self._running is not None:
            self._running.cancel()
            await asyncio.wait({self._running})

    async def newcomer(self, name: str, *, moderator: bool = False) -> UserRef:
        person = self.server.person(name)
        rights = Right.MODERATOR if moderator else Right.ORDINARY
        self.let_in(person.account, rights)

        ref = user_ref(person.account.id)
        self.people[ref] = person
        return ref

    def let_in(self, account: Account, rights: Right) -> None:
        """Lets a new account see the channel."""
        self.guild.add_member(account, rights)

    async def types(self, who: UserRef, text: str) -> None:
        """Picks the command, and fills its fields with the words in turn."""
        name, *words = text.removeprefix("/").split()
        spec = next(spec for spec in SPECS if spec.name == name)
        options = dict(zip((argument.name for argument in spec.arguments), words, strict=False))
        await self.people[who].commands(name, in_=self.channel, **options)

    async def presses(self, who: UserRef, seen: Seen, label: str) -> Answer:
        interaction = await self.people[who].presses(self.message(seen), label)
        notices = [message.text for message in interaction.ephemeral if not message.rows]
        notice = notices[-1] if notices else None
        return Answer(notice)

    async def opens_private(self, who: UserRef) -> None:
        """Does nothing: the hand comes as an ephemeral message, for which no chat is opened."""

    def room_sees(self) -> tuple[Seen, ...]:
        shown = [
            message
            for message in self.channel.messages.values()
            if not message.deleted and message.only is None
        ]
        return tuple(seen(message) for message in shown)

    def sees_alone(self, who: UserRef) -> tuple[Seen, ...]:
        return tuple(seen(message) for message in self.people[who].sees_alone())

    async def block_private_messages(self, who: UserRef) -> None:
        self.people[who].account.accepts_direct_messages = False

    async def throttle(self, seconds: float) -> None:
        self.server.state.limits.refuse(seconds, channel=self.channel.id)

    async def forget(self, seen: Seen) -> None:
        self.server.community.deletes(self.message(seen))

    async def expel(self) -> None:
        self.server.community.removes_bot(self.guild)

    async def let_pin(self, *, is_allowed: bool) -> None:
        community = self.server.community
        community.changes_everyone(self.guild, self.guild.everyone | Right.PIN_MESSAGES)
        community.lets_bot_pin(self.channel, is_allowed=is_allowed)

    async def let_write(self, *, is_allowed: bool) -> None:
        community = self.server.community
        change = community.allows_writing if is_allowed else community.forbids_writing
        change(self.channel)

    async def readmit(self) -> None:
        self.server.community.invites_bot(self.guild)

    async def show_portrait(self, who: UserRef, picture: bytes) -> None:
        self.people[who].account.avatar = picture

    async def break_connection(self) -> None:
        self.server.gateway.cut()

    async def restart(self) -> None:
        await self.stop()
        self.adapter = adapter_for(self.server, icons=self.icons, client_secret=self.client_secret)
        await self.start()

    def stranger(self) -> DiscordAdapter:
        return adapter_for(self.server, "MTAx.somebody.else")

    def message(self, seen: Seen) -> Message:
        channels = self.server.state.channels.values()
        return next(
            channel.messages[int(seen.key)] for channel in channels if int(seen.key) in channel.messages
        )


class DiscordOutsideHarness(DiscordHarness):
    """People in a group of friends without a server."""

    def __init__(
        self,
        server: DiscordServer,
        icons: Mapping[str, bytes],
        tasks: asyncio.TaskGroup,
        client_secret: str = "",
    ) -> None:
        server.state.can_be_installed = True
        super().__init__(server, icons, tasks, client_secret)
        self.channel = server.state.group("Friends")

    def let_in(self, account: Account, rights: Right) -> None:
        del rights
        self.channel.friends.append(account)


@asynccontextmanager
async def harness_of(
    server: DiscordServer,
    icons: Mapping[str, bytes] = MappingProxyType({}),
    client_secret: str = "",
    kind: type[DiscordHarness] = DiscordHarness,
) -> AsyncIterator[DiscordHarness]:
    """Runs a harness whose adapter is ready."""
    async with asyncio.TaskGroup() as tasks:
        harness = kind(server, icons, tasks, client_secret)
        await harness.start()
        yield harness
        await harness.stop()


async def works(harness: DiscordHarness) -> bool:
    """Returns whether a press is answered."""
    anna = await harness.newcomer("Anna")
    _, seen = await posted(harness, says("table", "Go"))
    harness.inbox.reply = Reply(toast="yes")
    return (await harness.presses(anna, seen, "Go")).toast == "yes"
