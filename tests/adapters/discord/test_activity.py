"""The live table in an Activity: launched by a press, and open to who Discord says is there."""

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from adapters import port
from adapters.discord.activity import Activity, application_of
from adapters.port import ProofProblem, ProofRefusedError, Reply, Screen, Span
from tests.adapters.contract.steps import posted, says
from tests.adapters.discord.harness import DiscordHarness, harness_of
from tests.wire.discord import CLIENT_SECRET, TOKEN, Callback, DiscordServer, Interaction

TABLE = 7
LINK = Reply(secret=Screen((Span("a link"),)), live_table=TABLE)


@asynccontextmanager
async def running() -> AsyncIterator[DiscordHarness]:
    async with DiscordServer() as server, harness_of(server, client_secret=CLIENT_SECRET) as harness:
        yield harness


def door_of(harness: DiscordHarness) -> port.Door:
    door = harness.adapter.door
    assert isinstance(door, Activity)
    return door


async def pressed(harness: DiscordHarness, user: port.UserRef) -> Interaction:
    """Somebody presses the button that opens the live table."""
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
        visit = await door_of(harness).visit(activities.authorized(person), instance)
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
            await door.visit(code, instance)
        asked = "no-such-code" if forged == "code" else code
        with pytest.raises(ProofRefusedError) as refused:
            await door.visit(asked, "i-no-such" if forged == "instance" else instance)
        assert refused.value.problem is problem


INVENTED = 100


async def test_invented_codes_and_instances_open_nothing() -> None:
    chance = random.Random(1)
    async with running() as harness:
        anna = await harness.newcomer("Anna")
        await pressed(harness, anna)
        person = harness.people[anna].account
        activities = harness.server.state.activities
        instance = activities.opened(harness.channel, person)
        code = activities.authorized(person)
        door = door_of(harness)

        for n in range(INVENTED):
            changed = list(code if n % 2 else instance)
            changed[chance.randrange(len(changed))] = chance.choice("-._~/?#% x0")
            text = "".join(changed)
            shown, wanted = (text, instance) if n % 2 else ("no-such-code", text)
            if text in {code, instance}:
                continue
            with pytest.raises(ProofRefusedError):
                await door.visit(shown, wanted)

        assert (await door.visit(code, instance)).table_id == TABLE


def test_the_proxy_of_the_application_is_admitted_and_discord_alone_may_frame_it() -> None:
    activity = Activity(TOKEN, CLIENT_SECRET, lambda: None)
    assert activity.origins == ("https://101.discordsays.com",)
    assert all(origin.endswith("discord.com") for origin in activity.framed_by)


@pytest.mark.parametrize("token", ["", "no.token", "###.a.b"])
def test_a_token_that_names_no_application_names_none(token: str) -> None:
    assert application_of(token) == 0
