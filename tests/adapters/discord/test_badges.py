"""The fool's role, and announcements, on a Discord that grants, refuses and revokes rights."""

from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import discord
import pytest

from adapters.discord import DiscordAdapter
from adapters.discord.refs import guild_room, user_ref
from adapters.port import BadgeTrouble, OfferedBadge, User
from bot.app import REGISTRY
from tests.adapters.contract import eventually
from tests.adapters.discord.harness import DiscordHarness
from tests.adapters.live_bot import LiveBot, comes_due, leaves_sunday_evening, live_bot
from tests.wire.discord import TOKEN, DiscordServer, Person, Right
from tests.wire.discord.errors import Refusal
from tests.wire.discord.faults import Fault
from tests.wire.discord.world import Account, Channel, Guild, Role


def may_give_roles(guild: Guild, *, granted: bool = True, position: int = 5) -> None:
    rights = Right.MANAGE_ROLES if granted else Right.NONE
    if guild.bot_role is None:
        guild.bot_role = Role("Durak", position, rights, is_managed=True)
        guild.roles.append(guild.bot_role)
    guild.bot_role.rights = rights
    guild.bot_role.position = position


class Place:
    """Anna's guild, with Boris and Clara in it."""

    def __init__(self, server: DiscordServer) -> None:
        self.server = server
        self.anna, self.boris, self.clara = (server.person(name) for name in ("Anna", "Boris", "Clara"))
        self.guild = server.state.guild("Players", self.anna.account)
        self.channel = server.state.channel(self.guild, "cards")
        for person in (self.boris, self.clara):
            self.guild.add_member(person.account)

    def holders(self, role: Role) -> set[str]:
        accounts: dict[int, Account] = self.server.state.accounts
        return {accounts[user].name for user in role.holders}

    def role(self, name: str) -> Role | None:
        return next((role for role in self.guild.roles if role.name == name), None)

    async def chooses(self, words: str) -> str:
        """Changes a setting as Anna, and returns the messages that only she reads afterwards."""
        await self.anna.commands("settings", in_=self.channel, change=words)
        return "\n".join(message.text for message in self.anna.sees(self.channel))

    async def loses(self, bot: LiveBot, loser: Person, other: Person) -> None:
        first, second = (User(user_ref(person.account.id), person.account.name) for person in (loser, other))
        room = guild_room(self.guild.id, self.channel.id)
        await bot.loses(first, second, room, loser.commands("durak", in_=self.channel))


@pytest.fixture
def place(server: DiscordServer) -> Place:
    return Place(server)


@pytest.fixture
async def bot(
    server: DiscordServer, place: Place, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> AsyncIterator[LiveBot]:
    """Runs the whole bot on the server."""
    adapter = DiscordAdapter(
        TOKEN, commands=REGISTRY.announced(), api_url=server.api_url, gateway_url=server.gateway_url
    )
    async with live_bot(adapter, tmp_path, caplog) as bot:
        yield bot


async def test_the_bot_makes_a_role_and_moves_it(bot: LiveBot, place: Place) -> None:
    may_give_roles(place.guild)
    await place.chooses("worn on")
    role = place.role("fool")
    assert role is not None
    assert role.rights is Right.NONE

    await place.loses(bot, place.boris, place.clara)
    await eventually(lambda: place.holders(role) == {"Boris"})
    await place.loses(bot, place.clara, place.boris)
    await eventually(lambda: place.holders(role) == {"Clara"})
    await place.loses(bot, place.anna, place.boris)  # roles ignore that she is an admin
    await eventually(lambda: place.holders(role) == {"Anna"})
    await place.chooses("worn off")
    await eventually(lambda: place.holders(role) == set())
    assert not bot.trouble


async def test_without_the_right_a_sentence_says_why_and_a_link_leads_to_it(
    bot: LiveBot, place: Place
) -> None:
    await place.chooses("worn on")
    sentence = "I need the right “Manage Roles”"
    await eventually(lambda: any(sentence in message.text for message in place.anna.sees(place.channel)))
    (panel,) = (message for message in place.anna.sees(place.channel) if sentence in message.text)
    (link,) = (item for row in panel.components for item in row["components"] if "url" in item)
    asked = parse_qs(urlsplit(link["url"]).query)
    assert discord.Permissions(int(asked["permissions"][0])).manage_roles
    assert (link["label"], asked["guild_id"]) == ("Give me the right", [str(place.guild.id)])

    await place.loses(bot, place.boris, place.clara)
    assert place.role("fool") is None

    may_give_roles(place.guild)
    await place.loses(bot, place.clara, place.boris)
    await eventually(lambda: (role := place.role("fool")) is not None and place.holders(role) == {"Clara"})
    assert not bot.trouble


async def test_a_role_that_an_admin_picked_may_rise_above_the_bots_or_be_deleted(
    bot: LiveBot, place: Place
) -> None:
    may_give_roles(place.guild)
    jester = Role("Jester", 2)
    place.guild.roles.append(jester)
    await place.chooses(f"worn {jester.id}")
    await place.loses(bot, place.boris, place.clara)
    await eventually(lambda: place.holders(jester) == {"Boris"})
    jester.position = 9
    await place.loses(bot, place.clara, place.boris)
    messages = place.anna.direct_messages
    await eventually(
        lambda: any("stands above mine" in message.text for message in place.anna.sees(messages))
    )
    assert place.holders(jester) == {"Boris"}

    place.guild.roles.remove(jester)
    await place.loses(bot, place.clara, place.boris)
    await eventually(
        lambda: any("that role is gone" in message.text for message in place.anna.sees(messages))
    )
    assert not bot.trouble


async def test_a_role_that_gives_rights_by_now_is_given_to_nobody(bot: LiveBot, place: Place) -> None:
    may_give_roles(place.guild)
    jester = Role("Jester", 2)
    place.guild.roles.append(jester)
    await place.chooses(f"worn {jester.id}")
    jester.rights = Right.ADMINISTRATOR
    await place.loses(bot, place.boris, place.clara)
    messages = place.anna.direct_messages
    await eventually(
        lambda: any("that role gives rights" in message.text for message in place.anna.sees(messages))
    )
    assert place.holders(jester) == set()

    jester.rights = Right.NONE
    await place.loses(bot, place.boris, place.clara)
    await eventually(lambda: place.holders(jester) == {"Boris"})
    assert not bot.trouble


@pytest.mark.parametrize(
    ("position", "rights", "is_chosen"),
    [(0, Right.NONE, False), (1, Right.MANAGE_ROLES, False), (3, Right.MANAGE_ROLES, True)],
    ids=["manages messages alone", "role below it", "role above it"],
)
async def test_who_could_not_give_a_role_themselves_does_not_choose_it(
    bot: LiveBot, place: Place, position: int, rights: Right, *, is_chosen: bool
) -> None:
    may_give_roles(place.guild)
    jester = Role("Jester", 2)
    place.guild.roles.append(jester)
    place.guild.add_member(place.boris.account, Right.MODERATOR)

    if position:
        place.guild.roles.append(Role("Helper", position, rights, holders={place.boris.account.id}))

    await place.boris.commands("settings", in_=place.channel, change=f"worn {jester.id}")
    await eventually(lambda: any(message.text for message in place.boris.sees_alone()))
    refused = any("you need “Manage Roles”" in message.text for message in place.boris.sees_alone())
    assert refused is not is_chosen

    await place.loses(bot, place.boris, place.clara)
    await eventually(lambda: place.holders(jester) == ({"Boris"} if is_chosen else set()))


async def test_a_role_of_the_fools_name_is_not_taken_for_who_could_not_give_it(
    bot: LiveBot, place: Place
) -> None:
    may_give_roles(place.guild)
    doors = Role("fool", 2)
    place.guild.roles.append(doors)
    place.guild.add_member(place.boris.account, Right.MODERATOR)

    await place.boris.commands("settings", in_=place.channel, change="worn on")
    await place.loses(bot, place.boris, place.clara)
    await eventually(
        lambda: any(place.holders(role) == {"Boris"} for role in place.guild.roles if role is not doors)
    )
    assert place.holders(doors) == set()


@pytest.mark.slow
async def test_titles_the_week_and_a_puzzle_come_and_the_admin_hears_where_they_cannot(
    server: DiscordServer, place: Place, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def adapter() -> DiscordAdapter:
        return DiscordAdapter(
            TOKEN, commands=REGISTRY.announced(), api_url=server.api_url, gateway_url=server.gateway_url
        )

    def sees(words: str, where: Channel) -> int:
        return sum(words in message.text for message in place.anna.sees(where))

    room = guild_room(place.guild.id, place.channel.id)
    place.server.community.forbids_writing(place.channel)
    async with live_bot(adapter(), tmp_path, caplog) as bot:
        leaves_sunday_evening(bot)
        await place.anna.commands("settings", in_=place.channel, change="week on")
        await eventually(lambda: sees("I need the right “Send Messages”", place.channel))
        place.server.community.allows_writing(place.channel)

        for change in ("titles on", "week on", "puzzle on"):
            await place.anna.commands("settings", in_=place.channel, change=change)

        await eventually(lambda: sees("Puzzle of the day: on", place.channel))
        for _ in range(3):
            await place.loses(bot, place.boris, place.clara)

        await eventually(lambda: sees("🏅 Boris: the fool three times in a row", place.channel))
        place.server.community.forbids_writing(place.channel)
        await comes_due(bot, room)
        await eventually(lambda: sees("I can’t write in that channel", place.anna.direct_messages))

    place.server.community.allows_writing(place.channel)
    async with live_bot(adapter(), tmp_path, caplog) as bot:
        await comes_due(bot, room)
        await eventually(lambda: sees("The week until", place.channel))
        await eventually(lambda: sees("🧩 Puzzle of the day", place.channel))

    assert sees("I can’t write in that channel", place.anna.direct_messages) == 1


async def test_every_refusal_is_an_outcome(harness: DiscordHarness) -> None:
    badges = harness.adapter.badges
    guild = harness.guild
    member = harness.server.person("Member")
    stranger = harness.server.person("Stranger")
    guild.add_member(member.account)
    here = guild_room(guild.id, harness.channel.id).server
    user = user_ref(member.account.id)
    power = Role("Power", 1, Right.MANAGE_MESSAGES)
    low = Role("Low", 2)
    high = Role("High", 8)
    guild.roles += [power, low, high]
    assert await badges.problem(here, str(low.id)) is BadgeTrouble.NO_RIGHT
    assert await badges.make(here, "fool") is BadgeTrouble.NO_RIGHT
    assert await badges.wear(here, user, str(low.id), "") is BadgeTrouble.NO_RIGHT

    may_give_roles(guild)
    assert await badges.offered(here) == [OfferedBadge(str(low.id), "Low")]
    assert await badges.problem(here, str(low.id)) is None
    assert await badges.problem(here, str(high.id)) is BadgeTrouble.ABOVE
    assert await badges.wear(here, user, str(high.id), "") is BadgeTrouble.ABOVE
    assert await badges.problem(here, str(power.id)) is BadgeTrouble.HAS_RIGHTS
    assert await badges.wear(here, user, str(power.id), "") is BadgeTrouble.HAS_RIGHTS
    assert not await badges.may_choose(here, user, str(low.id))
    assert await badges.may_choose(here, user_ref(guild.owner.id), str(low.id))
    assert await badges.problem(here, "") is BadgeTrouble.NO_BADGE
    assert await badges.mark_of(here, user, "") is BadgeTrouble.NO_BADGE
    assert await badges.wear(here, user, str(low.id), "") is None
    assert await badges.mark_of(here, user, str(low.id)) == str(low.id)
    assert await badges.wear(here, user, "", str(low.id)) is None
    assert await badges.mark_of(here, user, str(low.id)) == ""

    gone = user_ref(stranger.account.id)
    assert await badges.mark_of(here, gone, str(low.id)) is BadgeTrouble.LEFT
    assert await badges.wear(here, gone, str(low.id), "") is BadgeTrouble.LEFT

    full = Fault("POST", "/guilds/{guild_id}/roles", refusal=Refusal.TOO_MANY_ROLES)
    harness.server.state.faults.add(full)
    assert await badges.make(here, "fool") is BadgeTrouble.FULL

    guild.has_bot = False
    assert await badges.problem(here, str(low.id)) is BadgeTrouble.NOT_HERE

    direct = guild_room(1, 1)
    assert await badges.problem(direct.server, "") is BadgeTrouble.NOT_HERE
