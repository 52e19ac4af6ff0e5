"""Where people's own devices take part in the shuffle, nobody can choose the deal, not even the owner."""

from pathlib import Path

import pytest

from bot.model.table import Table
from engine import Contribution, Opening, seed_hash
from engine.__main__ import main
from tests.bot.devices import PeoplesDevices
from tests.bot.messages import text_of
from tests.bot.running_bot import ANNA, BORIS, CLARA, RunningBot


@pytest.fixture
def devices(bot: RunningBot) -> PeoplesDevices:
    bot.chat.devices = devices = PeoplesDevices()
    return devices


async def opening_of(bot: RunningBot, table: Table) -> Opening:
    opening = (await bot.session(table)).opening
    assert opening is not None
    return opening


async def test_everybody_commits_when_they_sit_down_and_reveals_at_the_start(
    bot: RunningBot, devices: PeoplesDevices
) -> None:
    table = await bot.opened(ANNA, BORIS)
    assert len(devices.drawn) == 2
    assert devices.terms == {}
    await bot.chat.presses(ANNA, bot.table_message().ref, "Add bot")
    await bot.chat.presses(ANNA, bot.table_message().ref, "Start")
    opening = await opening_of(bot, table)
    values = [Contribution(commitment, value) for commitment, value in devices.drawn.items()]
    assert opening.contributions == (*values, Contribution(is_house=True))


async def test_a_value_is_asked_for_once_when_everything_else_is_fixed(
    bot: RunningBot, devices: PeoplesDevices
) -> None:
    table = await bot.dealt(ANNA, BORIS)
    asked = [terms for each in devices.terms.values() for terms in each]
    assert asked == [(await opening_of(bot, table)).terms] * 2
    assert all(commitment in asked[0] for commitment in devices.drawn)
    assert f"seal={seed_hash(table.seed)}" in asked[0]


@pytest.mark.parametrize("fault", ["silent", "lying"])
async def test_who_does_not_reveal_holds_up_no_game_and_is_named(
    bot: RunningBot, devices: PeoplesDevices, fault: str, tmp_path: Path
) -> None:
    getattr(devices, fault).add(BORIS.ref)
    table = await bot.dealt(ANNA, BORIS)
    gave = (await opening_of(bot, table)).contributions
    assert [each.is_withheld for each in gave] == [False, True]
    said = await verified(bot, table, tmp_path)
    assert "came from the devices of Anna, each" in said
    assert "did not show it in time: Boris." in said
    assert "between 2 deals" in said


async def test_who_has_no_device_at_hand_is_left_out_and_named(
    bot: RunningBot, devices: PeoplesDevices, tmp_path: Path
) -> None:
    devices.unreachable.add(ANNA.ref)
    table = await bot.dealt(ANNA, BORIS, CLARA)
    said = await verified(bot, table, tmp_path)
    assert "came from the devices of Boris, Clara, each" in said
    assert "Without a number: Anna." in said


async def test_a_chat_that_fails_holds_up_no_game(bot: RunningBot, devices: PeoplesDevices) -> None:
    devices.broken = True
    assert (await opening_of(bot, await bot.dealt(ANNA, BORIS))).contributions == ()


async def test_a_device_that_came_late_is_asked_again_at_the_start(
    bot: RunningBot, devices: PeoplesDevices
) -> None:
    devices.unreachable.add(BORIS.ref)
    table = await bot.opened(ANNA, BORIS)
    devices.unreachable.clear()
    await bot.chat.presses(ANNA, bot.table_message().ref, "Start")
    assert all(each.is_revealed for each in (await opening_of(bot, table)).contributions)


async def test_after_a_restart_the_lobby_starts_with_new_values(
    bot: RunningBot, devices: PeoplesDevices
) -> None:
    table = await bot.opened(ANNA, BORIS)
    await bot.restart()
    await bot.settle()
    await bot.chat.presses(ANNA, bot.table_message().ref, "Start")
    assert len(devices.drawn) == 4
    assert all(each.is_revealed for each in (await opening_of(bot, table)).contributions)


async def test_whoever_leaves_and_comes_back_commits_anew_and_seats_take_theirs_along(
    bot: RunningBot, devices: PeoplesDevices
) -> None:
    table = await bot.opened(ANNA, BORIS)
    await bot.chat.presses(BORIS, bot.table_message().ref, "Leave")
    await bot.settle()
    await bot.chat.presses(BORIS, bot.table_message().ref, "Join")
    await bot.settle()
    await bot.chat.presses(ANNA, bot.table_message().ref, "Add bot")
    await bot.settle()
    await bot.chat.presses(ANNA, bot.table_message().ref, "Change seats")
    await bot.chat.presses(ANNA, bot.table_message().ref, "Start")
    annas, _, boris = devices.drawn
    gave = (await opening_of(bot, table)).contributions
    assert [each.commitment for each in gave] == [boris, annas, ""]


async def test_a_rematch_takes_new_values_of_everybody(bot: RunningBot, devices: PeoplesDevices) -> None:
    table = await bot.dealt(ANNA, BORIS)
    first = await opening_of(bot, table)
    await bot.app.tables.resign(table.id, ANNA)
    await bot.settle()
    await bot.chat.presses(BORIS, bot.chat.room_sees()[-1].ref, "Rematch")
    await bot.settle()
    assert len(devices.drawn) == 4
    await bot.chat.presses(BORIS, bot.table_message().ref, "Start")
    second = await opening_of(bot, table)
    assert all(each.is_revealed for each in second.contributions)
    assert not set(first.contributions) & set(second.contributions)


async def test_without_devices_verify_says_what_is_taken_on_trust(bot: RunningBot, tmp_path: Path) -> None:
    table = await bot.dealt(ANNA, BORIS)
    assert (await opening_of(bot, table)).contributions == ()
    assert "you take on trust" in await verified(bot, table, tmp_path)


async def verified(bot: RunningBot, table: Table, tmp_path: Path) -> str:
    """End the game; give what /verify says of it, after the record was checked without the bot."""
    await bot.app.tables.resign(table.id, BORIS)
    reply = await bot.chat.types(ANNA, "/verify")
    assert reply.public is not None
    assert reply.document is not None
    file = tmp_path / "durak.txt"
    file.write_bytes(reply.document.content)
    assert main(["verify", str(file)]) == 0
    assert "❌" not in text_of(reply.public)
    return text_of(reply.public)
