"""The live table in an Activity: launched by a press, and open to the people in its channel."""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from adapters import port
from adapters.discord.activity import UNKNOWN_INSTANCES, WRONG_CODES, Activity, application_of
from adapters.discord.refs import direct_room, guild_room
from adapters.port import ProofProblem, ProofRefusedError, Reply, Screen, Span
from tests.adapters.contract.steps import posted, says
from tests.adapters.discord.harness import DiscordHarness, harness_of, works
from tests.wire.discord import CLIENT_SECRET, TOKEN, Callback, DiscordServer, Interaction

TABLE = 7
LINK = Reply(secret=Screen((Span("a link"),)), live_table=TABLE)


@asynccontextmanager
async def running(*, is_verified: bool = False) -> AsyncIterator[DiscordHarness]:
    async with DiscordServer() as server:
        server.state.enable_activities()
        server.state.bot.is_verified = is_verified
        async with harness_of(server, client_secret=CLIENT_SECRET) as harness:
            yield harness


def door_of(harness: DiscordHarness) -> port.Door:
    door = harness.adapter.door
    assert isinstance(door, Activity)
    return door


async def pressed(harness: DiscordHarness, user: port.UserRef) -> Interaction:
    """Presses the button that opens the live table."""
    _, seen = await posted(harness, says("table", "Open"))
    harness.inbox.reply = LINK
    return await harness.people[user].presses(harness.message(seen), "Open")


async def test_a_press_launches_the_activity_in_place_of_a_link() -> None:
    async with running() as harness:
        anna = await harness.newcomer("Anna")
        interaction = await pressed(harness, anna)
        assert interaction.callback is Callback.LAUNCH
        assert interaction.ephemeral == []


async def test_the_link_comes_where_discord_launches_nothing() -> None:
    async with running() as harness:
        harness.server.state.activities.are_enabled = False
        anna = await harness.newcomer("Anna")
        interaction = await pressed(harness, anna)
        assert [message.text for message in interaction.ephemeral] == ["a link"]


async def test_who_is_there_sees_the_table_that_was_opened_in_that_channel() -> None:
    async with running() as harness:
        anna = await harness.newcomer("Anna")
        await pressed(harness, anna)
        person = harness.people[anna].account
        activities = harness.server.state.activities
        instance = activities.opened(harness.channel, person)
        visit = await door_of(harness).visit(activities.authorized(person), instance, "")
        assert (visit.user.ref, visit.table_id) == (anna, TABLE)
        assert visit.user.name == "Anna"


@pytest.mark.parametrize(
    ("forged", "problem"),
    [
        ("code", ProofProblem.FORGED),
        ("used", ProofProblem.FORGED),
        ("instance", ProofProblem.OLD),
        ("elsewhere", ProofProblem.STRANGER),
        ("unlaunched", ProofProblem.NO_TABLE),
    ],
)
async def test_nobody_else_sees_it(forged: str, problem: ProofProblem) -> None:
    async with running() as harness:
        anna = await harness.newcomer("Anna")
        boris = await harness.newcomer("Boris")
        if forged != "unlaunched":
            await pressed(harness, anna)

        person = harness.people[anna].account
        activities = harness.server.state.activities
        there = harness.people[boris].account if forged == "elsewhere" else person
        instance = activities.opened(harness.channel, there)
        code = activities.authorized(person)
        door = door_of(harness)

        if forged == "used":
            await door.visit(code, instance, "")

        proof = "no-such-code" if forged == "code" else code
        wanted = "i-no-such" if forged == "instance" else instance
        with pytest.raises(ProofRefusedError) as refused:
            await door.visit(proof, wanted, "")

        assert refused.value.problem is problem


async def problem_of(door: port.Door, code: str, wanted: str) -> ProofProblem | None:
    try:
        await door.visit(code, wanted, "")
    except ProofRefusedError as refused:
        return refused.problem
    return None


@pytest.mark.parametrize("wanted", ["", " 7", "..", "i-1/2", "i-1?x=y"])
async def test_an_instance_that_would_be_another_address_is_never_asked_for(wanted: str) -> None:
    async with running() as harness:
        anna = await harness.newcomer("Anna")
        person = harness.people[anna].account
        code = harness.server.state.activities.authorized(person)
        assert await problem_of(door_of(harness), code, wanted) is ProofProblem.OLD


async def test_100_forged_old_and_foreign_proofs_open_nothing() -> None:
    """Each forgery comes from a separate instance: too many from one would not be looked at."""
    chance = random.Random(1)
    async with running() as harness:
        anna, boris = [await harness.newcomer(name) for name in ("Anna", "Boris")]
        await pressed(harness, anna)
        own = harness.people[anna].account
        other = harness.people[boris].account
        activities = harness.server.state.activities
        tea = harness.server.state.channel(harness.guild, "tea")
        await works(harness)
        door = door_of(harness)
        patient = patience_of(door)

        def changed(text: str) -> str:
            signs = list(text)
            place = chance.randrange(len(signs))
            signs[place] = chance.choice([sign for sign in "-._~/?#% x0" if sign != signs[place]])
            return "".join(signs)

        for _ in range(20):
            instance = activities.opened(harness.channel, own)
            without_anna = activities.opened(harness.channel, other)
            elsewhere = activities.opened(tea, own)
            code = activities.authorized(own)
            assert await problem_of(door, changed(code), instance) is ProofProblem.FORGED
            assert await problem_of(door, code, changed(instance)) is ProofProblem.OLD
            assert await problem_of(door, code, instance) is None
            assert await problem_of(door, code, instance) is ProofProblem.FORGED, "a code counts once"
            assert await problem_of(door, activities.authorized(own), without_anna) is ProofProblem.STRANGER
            assert await problem_of(door, activities.authorized(own), elsewhere) is ProofProblem.NO_TABLE
            patient()


def patience_of(door: port.Door) -> Callable[[], None]:
    """Gives the door its own clock; returns what moves that on by a minute."""
    assert isinstance(door, Activity)
    now = [0.0]
    door.monotonic = lambda: now[0]

    def wait() -> None:
        now[0] += 60.0

    return wait


async def test_wrong_codes_of_one_instance_lock_nobody_else_out_and_are_not_asked_for_without_end() -> None:
    async with running() as harness:
        anna, boris = [await harness.newcomer(name) for name in ("Anna", "Boris")]
        await pressed(harness, anna)
        activities = harness.server.state.activities
        attacker = harness.people[boris].account
        bad = activities.opened(harness.channel, attacker)
        person = harness.people[anna].account
        good = activities.opened(harness.channel, person)
        door = door_of(harness)
        patience_of(door)

        at_once = (problem_of(door, "wrong", bad) for _ in range(WRONG_CODES.burst + 5))
        problems = Counter(await asyncio.gather(*at_once))
        assert problems == {ProofProblem.FORGED: WRONG_CODES.burst, ProofProblem.BUSY: 5}
        assert activities.exchanges == WRONG_CODES.burst
        assert await problem_of(door, activities.authorized(person), good) is None


async def test_an_outage_of_discord_counts_as_no_wrong_code() -> None:
    async with running() as harness:
        anna = await harness.newcomer("Anna")
        await pressed(harness, anna)
        activities = harness.server.state.activities
        person = harness.people[anna].account
        instance = activities.opened(harness.channel, person)
        door = door_of(harness)
        patience_of(door)

        activities.outage = 502
        failures = WRONG_CODES.burst + 5
        problems = [await problem_of(door, activities.authorized(person), instance) for _ in range(failures)]
        assert problems == [ProofProblem.BUSY] * failures
        assert activities.exchanges == failures

        activities.outage = 0
        assert await problem_of(door, activities.authorized(person), instance) is None


async def test_1000_codes_of_invented_instances_ask_discord_for_none_of_them() -> None:
    async with running() as harness:
        anna = await harness.newcomer("Anna")
        await pressed(harness, anna)
        door = door_of(harness)
        patience_of(door)
        problems = [await problem_of(door, "wrong", f"i-{number}") for number in range(1000)]
        expected = [ProofProblem.OLD] * UNKNOWN_INSTANCES.burst + [ProofProblem.BUSY] * (
            1000 - UNKNOWN_INSTANCES.burst
        )
        assert problems == expected
        assert harness.server.state.activities.exchanges == 0


async def test_who_is_let_in_often_and_who_invents_instances_keep_nobody_out_of_a_known_one() -> None:
    async with running() as harness:
        anna, boris = [await harness.newcomer(name) for name in ("Anna", "Boris")]
        await pressed(harness, anna)
        activities = harness.server.state.activities
        people = [harness.people[user].account for user in (anna, boris)]
        instance = activities.opened(harness.channel, *people)
        door = door_of(harness)
        patience_of(door)

        for _ in range(UNKNOWN_INSTANCES.burst + 1):
            assert await problem_of(door, activities.authorized(people[0]), instance) is None
        for number in range(UNKNOWN_INSTANCES.burst + 1):
            await problem_of(door, "wrong", f"i-{number}")
        assert await problem_of(door, activities.authorized(people[1]), instance) is None


async def test_an_activity_that_was_not_opened_by_a_press_shows_the_table_of_its_channel() -> None:
    async with running() as harness:
        anna = await harness.newcomer("Anna")
        person = harness.people[anna].account
        activities = harness.server.state.activities
        thread = harness.server.state.channel(harness.guild, "late", parent=harness.channel)
        await works(harness)
        topic = guild_room(harness.guild.id, harness.channel.id, thread.id)
        harness.inbox.tables = {harness.room: TABLE, topic: TABLE + 1}

        for channel, table in ((harness.channel, TABLE), (thread, TABLE + 1)):
            instance = activities.opened(channel, person)
            visit = await door_of(harness).visit(activities.authorized(person), instance, "")
            assert visit.table_id == table


async def test_a_visit_names_the_place_in_which_its_instance_runs() -> None:
    """Anybody can write the number of another table into their page."""
    async with running() as harness:
        anna = await harness.newcomer("Anna")
        person = harness.people[anna].account
        state = harness.server.state
        thread = state.private_thread("secret", harness.channel, person)
        await works(harness)
        topic = guild_room(harness.guild.id, harness.channel.id, thread.id)
        own = direct_room(int(anna.id), harness.people[anna].direct_messages.id)

        places = {harness.room: harness.channel, topic: thread, own: harness.people[anna].direct_messages}
        for room, channel in places.items():
            instance = state.activities.opened(channel, person)
            code = state.activities.authorized(person)
            visit = await door_of(harness).visit(code, f"{instance} {TABLE}", "")
            assert (visit.table_id, visit.place) == (TABLE, room)


async def test_in_a_place_that_the_bot_cannot_see_no_table_is_opened() -> None:
    async with running() as harness:
        anna = await harness.newcomer("Anna")
        person = harness.people[anna].account
        state = harness.server.state
        thread = state.private_thread("secret", harness.channel, person)
        thread.insiders.remove(state.bot.id)
        instance = state.activities.opened(thread, person)
        code = state.activities.authorized(person)
        assert await problem_of(door_of(harness), code, f"{instance} {TABLE}") is ProofProblem.NO_TABLE


async def test_a_table_that_a_link_names_is_opened_in_ones_direct_messages() -> None:
    async with running() as harness:
        anna = await harness.newcomer("Anna")
        person = harness.people[anna].account
        activities = harness.server.state.activities
        instance = activities.opened(harness.people[anna].direct_messages, person)
        door = door_of(harness)
        visit = await door.visit(activities.authorized(person), f"{instance} {TABLE}", "")
        assert (visit.user.ref, visit.table_id) == (anna, TABLE)

        forged = f"{instance} {TABLE}x"
        assert await problem_of(door, activities.authorized(person), forged) is ProofProblem.NO_TABLE


@pytest.mark.parametrize("is_verified", [True, False])
async def test_where_everybody_may_launch_it_a_direct_message_leads_there_by_a_link(
    *, is_verified: bool
) -> None:
    button = port.ViewButton("v:7", "Open the table", table_id=TABLE)
    screen = Screen((Span("your cards"),), ((button,),))
    async with running(is_verified=is_verified) as harness:
        anna = await harness.newcomer("Anna")
        linked = {"url": f"https://discord.com/activities/101?custom_id={TABLE}"}
        pressed = {"custom_id": "v:7"}

        delivery = await harness.adapter.post(port.Only(anna, harness.room), screen)
        assert isinstance(delivery, port.Delivered)

        await harness.adapter.edit(delivery.ref, screen)
        await harness.adapter.post(port.Everyone(harness.room), screen)

        person = harness.people[anna]
        [[direct]] = [message.buttons for message in person.sees_alone()]
        [[public]] = [message.buttons for message in person.sees(harness.channel)]
        assert direct.items() >= (linked if is_verified else pressed).items()
        assert public.items() >= pressed.items()


def test_the_proxy_of_the_application_is_admitted_and_discord_alone_may_frame_it() -> None:
    async def nowhere(room: port.RoomRef) -> None:
        del room

    activity = Activity(TOKEN, CLIENT_SECRET, lambda: None, nowhere)
    assert activity.origins == ("https://101.discordsays.com",)
    assert all(origin.endswith("discord.com") for origin in activity.framed_by)


@pytest.mark.parametrize("token", ["", "no.token", "###.a.b"])
def test_a_token_that_names_no_application_names_none(token: str) -> None:
    assert application_of(token) == 0
