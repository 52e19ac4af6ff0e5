"""A Telegram group, with players in it."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from tests.e2e.chats import Read, Shown, hand_button
from tests.e2e.process import BotProcess
from tests.wire.telegram import Chat, Message, Person, Status, TelegramServer
from tests.wire.telegram.models import problems_of


class Member:
    """A player in the group."""

    def __init__(self, server: TelegramServer, group: Chat, person: Person) -> None:
        self._server = server
        self._group = group
        self.person = person
        self.is_patient = False
        """Whether they wait for their hand to change by itself."""

    @property
    def name(self) -> str:
        return self.person.name

    async def types(self, line: str) -> str:
        if self._group in self._server.world.outside:
            self.person.mentions_bot(line.removeprefix("/durak").strip(), in_=self._group)
        else:
            self.person.says(line, in_=self._group)

        return ""

    def speaks(self, language: str) -> None:
        """Changes the language of the person's app."""
        self.person.language = language

    async def public(self) -> Sequence[Shown]:
        return [_shown(message) for message in self.person.sees(self._group) if message.receiver is None]

    async def private(self) -> Sequence[Shown]:
        own = (*self.person.sees(self.person.private), *self.person.sees_alone(self._group))
        return [_shown(message) for message in own]

    async def presses(self, shown: Shown, token: str) -> str:
        assert isinstance(shown.message, Message)
        answer = await self.person.presses_token(token, shown.message)
        if answer.url:
            self.person.follows(answer.url)
        return answer.text

    async def forces(self, shown: Shown, token: str) -> str:
        return await self.presses(shown, token)

    async def looks(self) -> None:
        if not self.is_patient and (found := await hand_button(self)):
            await self.presses(*found)

    def has_read(self) -> Sequence[Read]:
        return [Read(sent.at, sent.words) for sent in self._server.transcript.readable_by(self.person.id)]

    async def keeps(self) -> Sequence[Shown]:
        return [_shown(message) for message in self.person.sees(self.person.private)]

    def rang(self) -> Sequence[str]:
        return [sent.words for sent in self._server.transcript.rang_for(self.person.id)]


class Group:
    """One group with the bot in it."""

    admits_the_nameless = True

    def __init__(self, server: TelegramServer) -> None:
        self.server = server
        self._owner = server.person("Owner")
        self.group = server.supergroup("Friends", self._owner)

        self.are_strangers = False
        """Whether no one opens the private chat before they are led there."""

        self.settings: Mapping[str, str] = {
            "DURAK_TELEGRAM_TOKEN": server.token,
            "DURAK_TELEGRAM_API_URL": server.url,
        }

    async def met(self, bot: BotProcess) -> None:
        """Does nothing: the bot polls by itself."""

    async def newcomer(self, name: str) -> Member:
        person = self.server.person(name, started=not self.are_strangers)
        self.group.members[person.id] = Status.MEMBER
        return Member(self.server, self.group, person)


class Friends(Group):
    """A group of friends without the bot."""

    def __init__(self, server: TelegramServer) -> None:
        super().__init__(server)
        self.group = server.outside("Friends", self._owner)


def _shown(message: Message) -> Shown:
    buttons = {button.token: button.label for row in message.rows for button in row if button.token}
    return Shown(message.text, buttons, message)


@asynccontextmanager
async def telegram_group(place: type[Group] = Group) -> AsyncIterator[Group]:
    async with TelegramServer() as server:
        yield place(server)
        problems = {problem for sent in server.transcript.entries for problem in problems_of(sent)}
        assert not problems


def telegram_friends() -> AbstractAsyncContextManager[Group]:
    return telegram_group(Friends)
