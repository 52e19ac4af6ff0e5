"""The fool's tag, and announcements, on a server that grants, refuses and revokes rights."""

from pathlib import Path

import pytest
from telegram import Bot

from adapters.port import UNLIMITED, BadgeTrouble, Budgets, Throttled, User, UserRef
from adapters.telegram import TelegramAdapter
from adapters.telegram.badges import TelegramBadges
from adapters.telegram.refs import PLATFORM, room_ref
from bot.app import REGISTRY
from tests.adapters.contract import eventually
from tests.adapters.live_bot import LiveBot, comes_due, leaves_sunday_evening, live_bot
from tests.adapters.telegram.harness import TelegramHarness
from tests.wire.telegram import Chat, Person, TelegramServer
from tests.wire.telegram.faults import Loss
from tests.wire.telegram.world import Status

RIGHT = "can_manage_tags"


def ref(person: Person) -> UserRef:
    return UserRef(PLATFORM, str(person.id))


def may_tag(group: Chat, *, granted: bool = True) -> None:
    group.bot = Status.ADMINISTRATOR
    group.bot_rights = {RIGHT} if granted else set()


class Place:
    """Anna's group, with Boris and Clara in it."""

    def __init__(self, server: TelegramServer) -> None:
        self.anna, self.boris, self.clara = (server.person(name) for name in ("Anna", "Boris", "Clara"))
        self.group = server.supergroup("Players", self.anna, self.boris, self.clara)

    @property
    def tags(self) -> dict[str, str]:
        people = {person.id: person.name for person in (self.anna, self.boris, self.clara)}
        return {people[user]: tag for user, tag in self.group.tags.items() if tag}

    async def loses(self, bot: LiveBot, loser: Person, other: Person) -> None:
        async def opening() -> None:
            loser.says("/durak", in_=self.group)

        first, second = (User(ref(person), person.name) for person in (loser, other))
        await bot.loses(first, second, room_ref(self.group.id), opening())


@pytest.fixture
def place(server: TelegramServer) -> Place:
    return Place(server)


async def test_the_tag_follows_the_fool_and_gives_back_what_was_there(bot: LiveBot, place: Place) -> None:
    may_tag(place.group)
    place.group.tags[place.boris.id] = "captain"
    place.anna.says("/settings language ru", in_=place.group)
    place.anna.says("/settings worn on", in_=place.group)
    await eventually(lambda: any("wears it" in message.text for message in place.anna.sees(place.group)))

    await place.loses(bot, place.boris, place.clara)
    await eventually(lambda: place.tags == {"Boris": "дурак"})

    await place.loses(bot, place.boris, place.clara)
    await eventually(lambda: place.tags == {"Boris": "дурак ×2"})

    await place.loses(bot, place.clara, place.boris)
    await eventually(lambda: place.tags == {"Boris": "captain", "Clara": "дурак"})
    assert not bot.trouble


async def test_what_is_missing_is_said_once_and_it_works_as_soon_as_the_right_is_there(
    bot: LiveBot, place: Place
) -> None:
    may_tag(place.group, granted=False)
    place.anna.says("/settings worn on", in_=place.group)
    sentence = "I need the right “Manage Tags”"
    await eventually(lambda: any(sentence in message.text for message in place.anna.sees(place.group)))

    for _ in range(2):
        await place.loses(bot, place.boris, place.clara)

    await eventually(
        lambda: sum(sentence in message.text for message in place.anna.sees(place.anna.private)) == 1
    )
    assert place.tags == {}

    may_tag(place.group)
    await place.loses(bot, place.clara, place.boris)
    await eventually(lambda: place.tags == {"Clara": "fool"})
    await place.loses(bot, place.anna, place.boris)
    mine = "“Players”: you’re the fool, but Telegram lets no bot tag an admin."
    await eventually(lambda: any(mine in message.text for message in place.anna.sees(place.anna.private)))
    assert place.tags == {}
    assert not bot.trouble


async def test_who_may_pin_may_not_set_tags_for_that(server: TelegramServer, place: Place) -> None:
    place.group.bot = Status.ADMINISTRATOR
    place.group.bot_rights = {"can_pin_messages"}
    group = room_ref(place.group.id).server
    async with Bot(server.token, base_url=f"{server.url}/bot") as bot:
        assert await TelegramBadges(bot).problem(group, "") is BadgeTrouble.NO_RIGHT
        place.group.bot_rights = {RIGHT}
        assert await TelegramBadges(bot).problem(group, "") is None


async def test_an_answer_that_is_lost_and_a_kill_leave_one_tag(
    server: TelegramServer, place: Place, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def adapter() -> TelegramAdapter:
        return TelegramAdapter(server.token, api_url=server.url, commands=REGISTRY.announced())

    may_tag(place.group)
    async with live_bot(adapter(), tmp_path, caplog) as bot:
        place.anna.says("/settings worn on", in_=place.group)
        await eventually(lambda: any("wears it" in message.text for message in place.anna.sees(place.group)))
        await place.loses(bot, place.boris, place.clara)
        await eventually(lambda: place.tags == {"Boris": "fool"})
        server.faults.drop(Loss.AFTER, method="setChatMemberTag")
        await place.loses(bot, place.clara, place.boris)
        await eventually(lambda: place.tags == {})

    async with live_bot(adapter(), tmp_path, caplog) as bot:
        await eventually(lambda: place.tags == {"Clara": "fool"})


async def test_titles_the_week_and_a_puzzle_come_and_the_admin_hears_where_they_cannot(
    server: TelegramServer, place: Place, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def adapter() -> TelegramAdapter:
        adapter = TelegramAdapter(server.token, api_url=server.url, commands=REGISTRY.announced())
        adapter.budgets = Budgets(UNLIMITED, UNLIMITED)  # the server of the tests takes more
        return adapter

    def sees(words: str, where: Chat) -> int:
        return sum(words in message.text for message in place.anna.sees(where))

    room = room_ref(place.group.id)
    async with live_bot(adapter(), tmp_path, caplog) as bot:
        leaves_sunday_evening(bot)
        place.anna.says("/start", in_=place.anna.private)
        for change in ("titles on", "week on", "puzzle on"):
            place.anna.says(f"/settings {change}", in_=place.group)

        await eventually(lambda: sees("Puzzle of the day: on", place.group))
        for _ in range(3):
            await place.loses(bot, place.boris, place.clara)

        await eventually(lambda: sees("🏅 Boris: the fool three times in a row", place.group))
        place.anna.silences_bot(place.group)
        await comes_due(bot, room)
        await eventually(lambda: sees("I can’t write in that chat", place.anna.private))

    place.anna.promotes_bot(place.group)
    async with live_bot(adapter(), tmp_path, caplog) as bot:
        await comes_due(bot, room)
        await eventually(lambda: sees("The week until", place.group))
        await eventually(lambda: sees("🧩 Puzzle of the day", place.group))

    assert sees("I can’t write in that chat", place.anna.private) == 1


async def test_every_refusal_is_an_outcome(harness: TelegramHarness) -> None:
    server = harness.server
    badges = harness.adapter.badges
    boss, member, stranger = (server.person(name) for name in ("Boss", "Member", "Stranger"))
    group = server.supergroup("Others", boss, member)
    here = room_ref(group.id).server
    assert await badges.problem(here, "") is BadgeTrouble.NO_RIGHT
    assert await badges.wear(here, ref(member), "fool", "") is BadgeTrouble.NO_RIGHT

    may_tag(group)
    assert await badges.problem(here, "") is None
    assert await badges.wear(here, ref(member), "fool", "") is None
    assert await badges.mark_of(here, ref(member), "") == "fool"
    assert await badges.wear(here, ref(member), "", "fool") is None
    assert await badges.mark_of(here, ref(member), "") == ""
    assert await badges.mark_of(here, ref(boss), "") is BadgeTrouble.RANKED
    assert await badges.wear(here, ref(boss), "fool", "") is BadgeTrouble.RANKED
    assert await badges.mark_of(here, ref(stranger), "") is BadgeTrouble.LEFT
    assert await badges.wear(here, ref(stranger), "fool", "") is BadgeTrouble.LEFT
    assert await badges.wear(here, ref(member), "x" * 17, "") is BadgeTrouble.REFUSED

    server.faults.throttle(7, method="setChatMemberTag")
    assert await badges.wear(here, ref(member), "fool", "") == Throttled(7)

    group.bot = Status.KICKED
    assert await badges.problem(here, "") is BadgeTrouble.NOT_HERE
    assert await badges.problem(room_ref(member.id).server, "") is BadgeTrouble.NOT_HERE
