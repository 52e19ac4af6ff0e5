"""Commands about one person are answered ephemerally where the server can, else in private: nothing leaks."""

from collections.abc import AsyncIterator

import pytest

from adapters.port import Delivered, Document, MessageRef, Reply
from tests.adapters.contract import eventually
from tests.adapters.contract.steps import says
from tests.adapters.telegram.harness import TelegramHarness, telegram_harness
from tests.wire.telegram import Ephemerals, Message, Person, Status
from tests.wire.telegram import ephemeral as wire

SECRET = "ace of clubs"
PRIVATE = Reply(secret=says(SECRET, "AC"), invitation=says("open the private chat"))
FILE = Document("mydata.json", SECRET.encode())


@pytest.fixture(params=[Ephemerals.HONOURED])
async def harness(request: pytest.FixtureRequest) -> AsyncIterator[TelegramHarness]:
    async with telegram_harness() as harness:
        await restarted(harness, request.param)
        yield harness


async def restarted(harness: TelegramHarness, ephemerals: Ephemerals) -> None:
    """Restarts the bot on a server with this support of ephemeral messages."""
    harness.server.ephemerals = ephemerals
    harness.server.hidden_commands = set()
    await harness.restart()


async def newcomer(harness: TelegramHarness, name: str) -> Person:
    return harness.person(await harness.newcomer(name))


async def asks(harness: TelegramHarness, person: Person, text: str, *, openly: bool = False) -> None:
    """Types a command, and waits until the bot has sent all its answers."""
    person.says(text, in_=harness.chat, openly=openly)
    await eventually(lambda: not harness.server.updates.waiting)
    await harness.restart()  # which waits for every answer


def all_see(harness: TelegramHarness) -> list[Message]:
    """Returns the messages that everyone in the group sees, commands included."""
    return [message for message in harness.chat.messages if message.receiver is None]


def could_read(harness: TelegramHarness, person: Person) -> str:
    return "\n".join(sent.words for sent in harness.server.transcript.readable_by(person.id))


every_server = pytest.mark.parametrize("harness", Ephemerals, indirect=True)
older_servers = pytest.mark.parametrize("harness", [Ephemerals.IGNORED, Ephemerals.REFUSED], indirect=True)


@every_server
async def test_the_menu_says_which_commands_concern_one_person_where_the_server_takes_that(
    harness: TelegramHarness,
) -> None:
    knows = harness.server.ephemerals in {Ephemerals.HONOURED, Ephemerals.LOST}
    assert harness.server.hidden_commands == ({"hand"} if knows else set())
    assert set(harness.server.commands[""]) == {"hand", "rules", "leaderboard", "stats"}
    assert harness.server.commands["de"]["hand"] == "Meine Karten zeigen"


async def test_who_asks_for_their_cards_is_shown_them_in_the_group_and_it_stays_clean(
    harness: TelegramHarness,
) -> None:
    anna = await newcomer(harness, "Anna")
    boris = await newcomer(harness, "Boris")
    harness.inbox.reply = PRIVATE
    await asks(harness, anna, "/hand")
    (command,) = harness.inbox.commands
    assert command.can_reply_ephemerally

    (hand,) = anna.sees_alone(harness.chat)
    assert (hand.text, hand.labels) == (SECRET, ("AC",))

    ref = MessageRef("telegram", f"{harness.chat.id}:{anna.id}:{hand.ephemeral_id}")
    assert harness.inbox.shown_alone == [(command, PRIVATE, Delivered(ref))]
    assert not all_see(harness)
    assert SECRET not in could_read(harness, boris)
    assert not anna.sees(anna.private)


async def test_two_such_commands_are_two_events(harness: TelegramHarness) -> None:
    anna = await newcomer(harness, "Anna")
    boris = await newcomer(harness, "Boris")
    for person in (anna, anna, boris):
        person.says("/hand", in_=harness.chat)
    await eventually(lambda: len(harness.inbox.commands) == 3)
    assert len({command.id for command in harness.inbox.commands}) == 3


@pytest.mark.parametrize("reply", [Reply(toast="no cards"), Reply(ephemeral=says("no cards"))])
async def test_a_notice_is_for_who_asked(harness: TelegramHarness, reply: Reply) -> None:
    anna = await newcomer(harness, "Anna")
    boris = await newcomer(harness, "Boris")
    harness.inbox.reply = reply
    await asks(harness, anna, "/hand")
    assert [message.text for message in anna.sees_alone(harness.chat)] == ["no cards"]
    assert not all_see(harness)
    assert "no cards" not in could_read(harness, boris)


async def test_a_file_comes_with_its_words_to_who_asked(harness: TelegramHarness) -> None:
    anna = await newcomer(harness, "Anna")
    boris = await newcomer(harness, "Boris")

    harness.inbox.reply = Reply(secret=says("all about you"), document=FILE)
    await asks(harness, anna, "/hand")

    (answer,) = anna.sees_alone(harness.chat)
    assert answer.text == "all about you"
    assert answer.document is not None
    assert (answer.document.name, answer.document.content) == (FILE.name, FILE.content)
    assert SECRET not in could_read(harness, boris)
    assert not all_see(harness)


@every_server
@pytest.mark.parametrize("openly", [False, True])
@pytest.mark.parametrize("document", [None, FILE], ids=["text", "file"])
async def test_what_is_private_reaches_its_reader_alone(
    harness: TelegramHarness, document: Document | None, *, openly: bool
) -> None:
    anna = await newcomer(harness, "Anna")
    boris = await newcomer(harness, "Boris")
    harness.inbox.reply = Reply(secret=says(SECRET, "AC"), document=document)
    await asks(harness, anna, "/hand", openly=openly)
    is_hidden = not openly and "hand" in harness.server.hidden_commands
    assert bool(anna.sees(anna.private)) is not is_hidden

    if is_hidden and harness.server.ephemerals is not Ephemerals.LOST:
        assert len(anna.sees_alone(harness.chat)) == 1

    assert SECRET not in could_read(harness, boris)
    assert [message.text for message in all_see(harness)] == ["/hand"] * (not is_hidden)


async def test_a_server_that_has_forgotten_such_messages_shows_nobody_anything(
    harness: TelegramHarness,
) -> None:
    anna = await newcomer(harness, "Anna")
    boris = await newcomer(harness, "Boris")
    harness.inbox.reply = PRIVATE
    await asks(harness, anna, "/hand")
    assert [message.text for message in anna.sees_alone(harness.chat)] == [SECRET]

    harness.server.ephemerals = Ephemerals.IGNORED
    await asks(harness, anna, "/hand")
    assert [message.text for message in anna.sees(anna.private)] == [SECRET]
    assert not [message for message in all_see(harness) if message.sender["is_bot"]]
    assert SECRET not in could_read(harness, boris)


@older_servers
async def test_an_older_server_shows_a_notice_to_all_as_before(harness: TelegramHarness) -> None:
    anna = await newcomer(harness, "Anna")
    boris = await newcomer(harness, "Boris")
    harness.inbox.reply = Reply(toast="no cards", ephemeral=says("your statistics"))

    for _ in range(2):
        anna.says("/stats", in_=harness.chat)

    await asks(harness, anna, "/rules")
    texts = [message.text for message in boris.sees(harness.chat)]
    assert sorted(texts) == ["no cards"] * 3 + ["your statistics"] * 3
    assert all(message.reply_to is not None for message in boris.sees(harness.chat))

    refused = [sent for sent in harness.server.transcript.of("sendMessage") if sent.refused]
    assert len(refused) <= 3  # it is remembered; the three came at the same time


@pytest.mark.parametrize("status", [Status.MEMBER, Status.ADMINISTRATOR])
async def test_what_was_asked_openly_is_hidden_by_administrators_alone(
    harness: TelegramHarness, status: Status
) -> None:
    anna = await newcomer(harness, "Anna")
    boris = await newcomer(harness, "Boris")
    harness.chat.bot = status
    harness.inbox.reply = Reply(toast="no such setting")
    await asks(harness, anna, "/rules nonsense")
    is_hidden = status is Status.ADMINISTRATOR
    assert [message.text for message in anna.sees(harness.chat)] == ["no such setting"]
    assert bool(boris.sees(harness.chat)) is not is_hidden


async def test_an_answer_that_comes_too_late_comes_as_before(
    harness: TelegramHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "ANSWER_WITHIN", -1.0)
    anna = await newcomer(harness, "Anna")
    boris = await newcomer(harness, "Boris")
    harness.inbox.reply = Reply(toast="thought long", secret=says(SECRET))
    await asks(harness, anna, "/hand")
    assert [message.text for message in anna.sees(anna.private)] == [SECRET]
    assert [message.text for message in boris.sees(harness.chat)] == ["thought long"]
    assert SECRET not in could_read(harness, boris)


async def test_a_command_in_a_topic_is_answered_there(harness: TelegramHarness) -> None:
    forum = harness.server.forum("Forum", harness.owner)
    topic = harness.server.topic(forum, "Cards")
    harness.inbox.reply = Reply(secret=says(SECRET))
    harness.owner.says("/hand", in_=forum, topic=topic)
    await eventually(lambda: SECRET in [message.text for message in harness.owner.sees_alone(forum)])
    (hand,) = harness.owner.sees_alone(forum)
    assert hand.thread == topic
