"""Every message shows the current state of its table, cup or game with real cards, despite all failures.

A subject of each kind is opened and changed by people, in the same way; the tests are the same for all.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import pytest
from sqlmodel import select

from adapters.port import MessageRef, PinTrouble, Screen, Span, Throttled, User
from bot.delivery.reachability import ATTEMPTS
from bot.features.cups.messages import list_of
from bot.features.cups.part import Cups
from bot.features.real_cards.model import FOOL_DELAY_SECONDS, entry_of
from bot.features.real_cards.part import RealCards
from bot.model.messages import MessageKind, Slot, TableSlot
from bot.storage.models import OutdatedRow
from tests.bot.chat import CELLAR, ROOM
from tests.bot.databases import rows
from tests.bot.messages import Message
from tests.bot.running_bot import ANNA, BORIS, CLARA, RunningBot

THROTTLED_SECONDS = 20.0
MINUTE = 60.0


async def unwritable(_: RunningBot) -> None:
    raise AssertionError("its changes have no marks")


async def clara_signs_up(bot: RunningBot) -> None:
    cups = bot.app.part(Cups)
    cup = await cups.get(1)
    await cups.store.save(cup, cup.join(CLARA, ""), bot.clock.now())


async def boris_takes_it_out(bot: RunningBot) -> None:
    await bot.app.part(RealCards).store.take_back(1, BORIS)


@dataclass(frozen=True)
class Kind:
    """A kind of subject, and how people open its first one and change it twice.

    Attributes:
        slot: The slot of its public message.
        typed: The command that opens it, by Anna.
        mentioned: The people that the command mentions.
        heading: The beginning of the message.
        presses: The people and the buttons that they press to change it.
        looks: Patterns of the message at first, and after each press.
        disk: The table of the database with its messages.
        end: The button by which Anna ends it; its message is pinned until then, if an admin has enabled pins.
        writes_second: Makes the second change on disk, without showing it.
    """

    slot: Slot
    typed: str
    heading: str
    presses: tuple[tuple[User, str], tuple[User, str]]
    looks: tuple[str, str, str]
    mentioned: tuple[User, ...] = ()
    disk: str = "feature_message"
    end: str = ""
    writes_second: Callable[[RunningBot], Awaitable[None]] = unwritable


TABLE = Kind(
    TableSlot(1, 1, MessageKind.TABLE),
    "/durak",
    "Durak ·",
    ((BORIS, "Join"), (CLARA, "Join")),
    (r"Anna \(host\) ·", r"Anna \(host\), Boris ·", r"Anna \(host\), Boris, Clara ·"),
    disk="message_slot",
    end="Close the table",
)
CUP = Kind(
    list_of(1),
    "/cup 23:00",
    "🏆",
    ((BORIS, "I’m in"), (CLARA, "I’m in")),
    (r": Anna$", r": Anna, Boris$", r": Anna, Boris, Clara$"),
    end="Call off",
    writes_second=clara_signs_up,
)
CARDS = Kind(
    entry_of(1),
    "/fool add",
    "📇",
    ((BORIS, "That’s right"), (BORIS, "That’s wrong")),
    (r"It counts once Boris agrees\.\Z", r"Played: Boris, Clara, Anna\Z", r"Boris took it out\.\Z"),
    mentioned=(BORIS, CLARA),
    writes_second=boris_takes_it_out,
)

ALL = {"table": TABLE, "cup": CUP, "cards": CARDS}


def of(kinds: Collection[str]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("kind", [ALL[name] for name in kinds], ids=list(kinds))


of_every_kind = of(ALL)
of_pinned_kinds = of([name for name, kind in ALL.items() if kind.end])
of_features = of(["cup", "cards"])


async def opens(bot: RunningBot, kind: Kind) -> None:
    await bot.chat.types(ANNA, kind.typed, mentioned=kind.mentioned)
    await bot.settle()


async def changes(bot: RunningBot, kind: Kind, number: int = 1) -> None:
    """Changes it for the first time, or the second, by a press under its message."""
    user, label = kind.presses[number - 1]
    await bot.chat.presses(user, shown(bot, kind).ref, label)
    await bot.settle()


async def opened(bot: RunningBot, kind: Kind) -> MessageRef:
    """Opens it, and returns its message once nothing more is due for hours."""
    await opens(bot, kind)
    await bot.skip(MINUTE)
    shows(bot, kind, changes=0)
    return shown(bot, kind).ref


def all_shown(bot: RunningBot, kind: Kind) -> list[Message]:
    return [message for message in bot.chat.room_sees() if message.text.startswith(kind.heading)]


def shown(bot: RunningBot, kind: Kind) -> Message:
    """Returns the only message that shows it."""
    (message,) = all_shown(bot, kind)
    return message


def shows(bot: RunningBot, kind: Kind, *, changes: int) -> None:
    """Checks that its only message shows this many of its changes."""
    text = shown(bot, kind).text
    assert [re.search(look, text, re.MULTILINE) is not None for look in kind.looks] == [
        number == changes for number in range(len(kind.looks))
    ], text


@asynccontextmanager
async def refused(bot: RunningBot) -> AsyncIterator[None]:
    """Makes the room refuse messages within this block, and accept them again afterwards."""
    gate = bot.chat.gates[ROOM] = asyncio.Event()
    yield
    bot.chat.banned.add(ROOM)
    gate.set()
    await bot.settle()
    calm(bot)


def calm(bot: RunningBot) -> None:
    """Ends all trouble in the chat."""
    for trouble in (bot.chat.gates, bot.chat.receipts, bot.chat.floods, bot.chat.banned):
        trouble.clear()


async def killed(bot: RunningBot) -> None:
    """Kills the process, and starts another one in a calm chat."""
    await bot.stop()
    calm(bot)
    bot.chat.lost_answers.clear()
    await bot.start()
    await bot.settle()


async def marks(bot: RunningBot) -> list[int]:
    """Returns the changes on disk that may not be shown yet."""
    return await rows(bot.database, select(OutdatedRow.changes))


# --- throttled ----------------------------------------------------------------------------------------------


@of_every_kind
async def test_a_post_that_is_throttled_once_comes_after_the_pause(bot: RunningBot, kind: Kind) -> None:
    bot.chat.floods[ROOM] = THROTTLED_SECONDS
    await opens(bot, kind)
    await bot.skip(THROTTLED_SECONDS - 1)
    assert all_shown(bot, kind) == []

    await bot.skip(1)
    shows(bot, kind, changes=0)


@of_every_kind
async def test_an_edit_that_is_throttled_once_comes_after_the_pause(bot: RunningBot, kind: Kind) -> None:
    await opened(bot, kind)
    bot.chat.floods[ROOM] = THROTTLED_SECONDS
    await changes(bot, kind)
    await bot.skip(THROTTLED_SECONDS - 1)
    shows(bot, kind, changes=0)

    await bot.skip(1)
    shows(bot, kind, changes=1)


@of_pinned_kinds
async def test_a_pin_that_is_throttled_once_comes_after_the_pause(bot: RunningBot, kind: Kind) -> None:
    await bot.app.servers.choose(ROOM.server, pins="on")
    bot.chat.pin_troubles = [Throttled(THROTTLED_SECONDS)]
    await opens(bot, kind)
    assert bot.chat.pinned == set()

    await bot.skip(THROTTLED_SECONDS)
    assert bot.chat.pinned == {shown(bot, kind).ref}
    assert await marks(bot) == []


@of_pinned_kinds
async def test_a_pin_that_waits_out_a_throttle_comes_after_a_kill_as_well(
    bot: RunningBot, kind: Kind
) -> None:
    await bot.app.servers.choose(ROOM.server, pins="on")
    bot.chat.pin_troubles = [Throttled(THROTTLED_SECONDS)]
    await opens(bot, kind)
    await killed(bot)
    assert bot.chat.pinned == {shown(bot, kind).ref}


@of_pinned_kinds
@pytest.mark.parametrize("is_killed", [False, True])
async def test_what_is_over_is_unpinned_after_a_throttle_or_a_kill(
    bot: RunningBot, kind: Kind, *, is_killed: bool
) -> None:
    await bot.app.servers.choose(ROOM.server, pins="on")
    message = await opened(bot, kind)
    bot.chat.pin_troubles = [Throttled(THROTTLED_SECONDS)]
    await bot.chat.presses(ANNA, message, kind.end)
    await bot.settle()
    assert bot.chat.pinned == {message}

    if is_killed:
        await killed(bot)
    else:
        await bot.skip(THROTTLED_SECONDS)

    assert bot.chat.pinned == set()


# --- refused ------------------------------------------------------------------------------------------------


@of_every_kind
async def test_a_post_that_the_room_refuses_once_comes_within_a_minute_by_itself(
    bot: RunningBot, kind: Kind
) -> None:
    async with refused(bot):
        await opens(bot, kind)
    await bot.skip(FOOL_DELAY_SECONDS)  # after which games with real cards are checked anyway
    assert all_shown(bot, kind) == []

    await bot.skip(MINUTE)
    shows(bot, kind, changes=0)


@of_every_kind
async def test_an_edit_that_the_room_refuses_once_comes_within_a_minute_by_itself(
    bot: RunningBot, kind: Kind
) -> None:
    await opened(bot, kind)
    async with refused(bot):
        await changes(bot, kind)
    shows(bot, kind, changes=0)

    await bot.skip(MINUTE)
    shows(bot, kind, changes=1)
    assert await marks(bot) == []


@of_every_kind
async def test_a_message_that_was_deleted_is_posted_again_with_the_change_once(
    bot: RunningBot, kind: Kind
) -> None:
    """Deletes it while the change is on its way: nobody presses a message that is gone."""
    message = await opened(bot, kind)
    gate = bot.chat.gates[ROOM] = asyncio.Event()
    await changes(bot, kind)
    bot.chat.forget(message)
    gate.set()
    await bot.settle()
    shows(bot, kind, changes=1)

    await bot.skip(MINUTE)
    await changes(bot, kind, 2)
    shows(bot, kind, changes=2)


@of_pinned_kinds
async def test_a_pin_without_the_right_is_reported_once_and_the_message_is_right(
    bot: RunningBot, kind: Kind
) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await bot.chat.types(ANNA, "/settings pins on")
    await bot.app.servers.choose(ROOM.server, quiet="off")
    bot.chat.pin_troubles = [PinTrouble.NO_RIGHT] * 9

    await opened(bot, kind)
    await changes(bot, kind)
    shows(bot, kind, changes=1)

    await bot.skip(MINUTE)
    await changes(bot, kind, 2)
    shows(bot, kind, changes=2)

    await bot.skip(MINUTE)
    told = [message for message in bot.chat.sees_alone(ANNA) if "“Pin things”" in message.text]
    assert (len(told), bot.chat.pins_asked) == (1, 1)


# --- killed -------------------------------------------------------------------------------------------------


@of_every_kind
async def test_what_was_opened_and_never_posted_is_posted_at_the_next_start(
    bot: RunningBot, kind: Kind
) -> None:
    bot.chat.gates[ROOM] = asyncio.Event()
    await opens(bot, kind)
    await killed(bot)
    shows(bot, kind, changes=0)


@of_every_kind
@pytest.mark.parametrize("trouble", ["on its way", "throttled", "refused"])
async def test_a_change_that_is_on_disk_and_not_shown_is_shown_at_the_next_start(
    bot: RunningBot, kind: Kind, trouble: str
) -> None:
    await opened(bot, kind)
    match trouble:
        case "on its way":
            bot.chat.gates[ROOM] = asyncio.Event()
            await changes(bot, kind)
        case "throttled":
            bot.chat.floods[ROOM] = THROTTLED_SECONDS
            await changes(bot, kind)
        case _:
            async with refused(bot):
                await changes(bot, kind)

    await killed(bot)
    shows(bot, kind, changes=1)


@of_every_kind
async def test_a_post_whose_answer_is_lost_in_a_kill_is_recognized_at_the_next_start(
    bot: RunningBot, kind: Kind
) -> None:
    bot.chat.lost_answers.append(ConnectionError("killed"))
    await opens(bot, kind)
    assert await bot.app.message_index.message(kind.slot) is None

    await killed(bot)
    await changes(bot, kind)
    shows(bot, kind, changes=1)


@of_every_kind
async def test_a_post_whose_record_was_not_written_before_a_kill_is_recognized_at_the_next_start(
    bot: RunningBot, kind: Kind
) -> None:
    receipt = bot.chat.receipts[ROOM] = asyncio.Event()
    await opens(bot, kind)
    async with bot.without_disk(kind.disk):
        receipt.set()
        await bot.settle()
        await bot.stop()
        await bot.database.open()

    await killed(bot)
    await changes(bot, kind)
    shows(bot, kind, changes=1)


# --- changed by the chat itself -----------------------------------------------------------------------------


@of_every_kind
@pytest.mark.parametrize("is_after_restart", [False, True])
async def test_a_message_that_its_chat_has_changed_is_put_right(
    bot: RunningBot, kind: Kind, *, is_after_restart: bool
) -> None:
    message = await opened(bot, kind)
    right = shown(bot, kind)
    if is_after_restart:
        await bot.restart()
        await bot.settle()

    bot.chat.messages[message] = replace(right, screen=Screen((Span("something else"),)))
    await bot.app.outbox.repair([message])
    await bot.settle()
    assert bot.chat.messages[message] == right


# --- changes that come while others are shown ---------------------------------------------------------------


@of_every_kind
async def test_once_all_is_shown_the_next_start_has_nothing_to_do(bot: RunningBot, kind: Kind) -> None:
    await opened(bot, kind)
    for number in (1, 2):
        await changes(bot, kind, number)
        shows(bot, kind, changes=number)
        assert await marks(bot) == []

    bot.chat.sent.clear()
    await killed(bot)
    assert bot.chat.sent == []


@of_every_kind
async def test_a_change_while_another_is_shown_is_shown_as_well_after_a_kill_in_between(
    bot: RunningBot, kind: Kind
) -> None:
    await opened(bot, kind)
    receipt = bot.chat.receipts.setdefault(ROOM, asyncio.Event())
    for number in (1, 2):
        await changes(bot, kind, number)

    bot.chat.gates[ROOM] = asyncio.Event()
    receipt.set()
    await bot.opened(CLARA, room=CELLAR)  # something else is shown in the meantime
    shows(bot, kind, changes=1)

    await killed(bot)
    shows(bot, kind, changes=2)
    assert await marks(bot) == []


@of_features
async def test_a_change_that_was_only_written_while_another_is_shown_keeps_its_mark(
    bot: RunningBot, kind: Kind
) -> None:
    """Kills the process between the write and its mark in memory; meanwhile the change before is shown."""
    await opened(bot, kind)
    receipt = bot.chat.receipts.setdefault(ROOM, asyncio.Event())
    await changes(bot, kind)
    await kind.writes_second(bot)
    receipt.set()
    await bot.opened(CLARA, room=CELLAR)
    assert len(await marks(bot)) == 1

    await killed(bot)
    shows(bot, kind, changes=2)
    assert await marks(bot) == []


# --- in private ---------------------------------------------------------------------------------------------


async def deals(bot: RunningBot) -> None:
    await bot.dealt(ANNA, BORIS)


async def names_boris(bot: RunningBot) -> None:
    await opens(bot, CARDS)
    await bot.skip(FOOL_DELAY_SECONDS)


@dataclass(frozen=True)
class Private:
    """A private message for Boris: how it is caused, and words in it."""

    comes: Callable[[RunningBot], Awaitable[None]]
    says: str


HAND = Private(deals, "Your 6 cards")
QUESTION = Private(names_boris, "Is that so?")
of_every_private_kind = pytest.mark.parametrize("private", [HAND, QUESTION], ids=["hand", "question"])


def read_by_boris(bot: RunningBot, private: Private) -> list[MessageRef]:
    return [message.ref for message in bot.chat.sees_alone(BORIS) if private.says in message.text]


@of_every_private_kind
async def test_a_private_message_that_is_throttled_once_comes_after_the_pause(
    bot: RunningBot, private: Private
) -> None:
    bot.chat.floods[BORIS.ref] = THROTTLED_SECONDS
    await private.comes(bot)
    assert read_by_boris(bot, private) == []

    await bot.skip(THROTTLED_SECONDS)
    assert len(read_by_boris(bot, private)) == 1
    assert await marks(bot) == []


@of_every_private_kind
async def test_a_private_message_that_was_never_sent_comes_at_the_next_start(
    bot: RunningBot, private: Private
) -> None:
    bot.chat.gates[BORIS.ref] = asyncio.Event()
    await private.comes(bot)
    await killed(bot)
    assert len(read_by_boris(bot, private)) == 1

    await bot.skip(MINUTE)
    assert len(read_by_boris(bot, private)) == 1


@of_every_private_kind
async def test_a_private_message_whose_answer_is_lost_in_a_kill_comes_once(
    bot: RunningBot, private: Private
) -> None:
    if private is QUESTION:
        await opens(bot, CARDS)
        bot.chat.lost_answers.append(ConnectionError("killed"))
        await bot.skip(FOOL_DELAY_SECONDS)
    else:
        await bot.opened(ANNA, BORIS)
        bot.chat.lost_answers += [ConnectionError("killed")] * 2  # each has a hand
        await bot.taps(ANNA, "Start")

    assert len(read_by_boris(bot, private)) == 1
    await killed(bot)
    assert len(read_by_boris(bot, private)) == 1


async def asks_in_the_room(bot: RunningBot) -> Message:
    """Asks Boris, who accepts no private messages, when he presses a button."""
    bot.chat.closed.add(BORIS.ref)
    await names_boris(bot)
    await bot.opened(CLARA)
    await bot.chat.presses(BORIS, bot.table_message().ref, "Join")
    await bot.settle()
    (question,) = (message for message in bot.chat.sees_alone(BORIS) if QUESTION.says in message.text)
    return question


async def test_a_question_to_a_closed_chat_is_asked_at_the_next_press_and_not_again(bot: RunningBot) -> None:
    question = await asks_in_the_room(bot)
    bot.chat.closed.clear()
    await bot.skip(MINUTE)
    assert read_by_boris(bot, QUESTION) == [question.ref]
    assert await marks(bot) == []


async def test_a_question_to_a_closed_chat_comes_by_itself_once_that_is_open(bot: RunningBot) -> None:
    bot.chat.closed.add(BORIS.ref)
    await names_boris(bot)
    bot.chat.closed.clear()
    await bot.skip(MINUTE)
    assert len(read_by_boris(bot, QUESTION)) == 1
    assert await marks(bot) == []


async def test_an_edit_of_a_question_that_is_throttled_once_comes_after_the_pause(bot: RunningBot) -> None:
    await names_boris(bot)
    bot.chat.floods[BORIS.ref] = THROTTLED_SECONDS
    await changes(bot, CARDS)
    assert len(read_by_boris(bot, QUESTION)) == 1

    await bot.skip(THROTTLED_SECONDS)
    assert read_by_boris(bot, QUESTION) == []
    assert await marks(bot) == []


async def test_a_question_asked_in_the_room_is_settled_though_the_room_is_throttled_once(
    bot: RunningBot,
) -> None:
    await asks_in_the_room(bot)
    bot.chat.floods[ROOM] = THROTTLED_SECONDS
    await changes(bot, CARDS)
    assert bot.chat.floods == {}, "the entry was throttled, or the question"

    await bot.skip(THROTTLED_SECONDS)
    shows(bot, CARDS, changes=1)
    assert read_by_boris(bot, QUESTION) == []

    await bot.skip(ATTEMPTS.first)  # after which nothing waits for his private chat
    assert await marks(bot) == []
