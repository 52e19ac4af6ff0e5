"""People are called when a table waits for them, and the table says since when."""

import pytest

from tests.bot.chat import ROOM, text_of
from tests.bot.house import ANNA, BORIS, CALL, House


async def test_after_twenty_seconds_whoever_is_waited_for_is_called_until_they_move(house: House) -> None:
    table = await house.dealt(ANNA, BORIS)
    user = await house.waiting_for(table)
    await house.skip(19.0)
    assert house.calls() == []
    await house.skip(1.0)
    assert house.calls() == [f"{CALL} {user.name}: your move!"]
    (call,) = [message for message in house.chat.room_sees() if message.text.startswith(CALL)]
    assert user.ref in {span.mention for span in call.screen.body}
    await house.plays(table)
    await house.settle()
    assert house.calls() == []


def posted(house: House) -> list[str]:
    """What was posted in the room, as it was first seen there."""
    sent = [each for each in house.chat.sent if each.verb == "post" and each.place == ROOM]
    return [text_of(each.screen) for each in sent if each.screen is not None]


async def test_every_silence_is_called_twice_and_the_second_call_says_when_the_table_moves(
    house: House,
) -> None:
    table = await house.dealt(ANNA, BORIS)
    for _ in range(2):
        name = (await house.waiting_for(table)).name
        house.chat.sent.clear()
        for _ in range(7):
            await house.skip(15.0)
            assert len(house.calls()) <= 1
        assert posted(house) == [
            f"{CALL} {name}: your move!",
            f"{CALL} {name}: your move! The table moves for you: in 60 s.",
        ]
        assert house.calls() == posted(house)[1:]
        await house.plays(table)
        await house.settle()
        assert house.calls() == []


async def test_a_restart_calls_nobody_twice(house: House) -> None:
    await house.dealt(ANNA, BORIS)
    await house.skip(60.0)
    house.chat.sent.clear()
    await house.restart()
    await house.skip(30.0)
    assert posted(house) == []
    assert len(house.calls()) == 1


async def test_the_public_table_says_since_when_it_waits_with_one_edit(house: House) -> None:
    table = await house.chooses(await house.dealt(ANNA, BORIS), clock=0)
    await house.bot.servers.choose(ROOM.server, time_zone="Europe/Vilnius")
    name = (await house.waiting_for(table)).name
    house.chat.sent.clear()
    await house.skip(59.0)
    assert house.chat.sent == []
    for _ in range(10):
        await house.skip(30.0)
    assert [sent.verb for sent in house.chat.sent] == ["edit"]
    assert f"Waiting for {name} since 16:46." in house.table_message().text
    await house.skip(11 * 3600.0)
    assert f"Waiting for {name} since Mon, Jan 12 16:46." in house.table_message().text
    await house.plays(table)
    await house.settle()
    assert "since" not in house.table_message().text


@pytest.mark.parametrize(
    ("zone", "hours", "shown"),
    [
        ("Europe/Vilnius", 7 + 1 / 4, "since Mon, Jan 12 16:46"),
        ("America/New_York", 15 + 1 / 4, "since Mon, Jan 12 08:46"),
    ],
)
async def test_the_day_is_named_from_midnight_on_where_the_server_is(
    house: House, zone: str, hours: float, shown: str
) -> None:
    """It begins at 13:46 in UTC, whose midnight is ten hours away."""
    await house.bot.servers.choose(ROOM.server, time_zone=zone)
    await house.chooses(await house.dealt(ANNA, BORIS), clock=0)
    await house.skip((hours - 1) * 3600.0)
    assert "Jan 12" not in house.table_message().text
    await house.skip(3600.0)
    assert shown in house.table_message().text


async def test_where_there_is_no_clock_people_are_called_after_hours_and_daily_but_not_at_night(
    house: House,
) -> None:
    await house.chooses(await house.dealt(ANNA, BORIS), clock=0)  # on Monday, 13:46 in UTC
    await house.skip(3 * 3600.0)
    assert house.calls() == []
    await house.skip(3600.0)
    (first,) = house.calls()
    assert "since 13:46 UTC" in first
    await house.skip(20 * 3600.0)
    (second,) = house.calls()
    assert "for 1 day" in second
    house.chat.sent.clear()
    for _ in range(14):
        await house.skip(43_200.0)
    assert len(posted(house)) == 6  # for a week
    assert len(house.calls()) == 1


async def test_a_call_that_falls_into_the_night_waits_for_the_morning(house: House) -> None:
    await house.skip(7 * 3600.0)  # 20:46
    await house.chooses(await house.dealt(ANNA, BORIS), clock=0)
    await house.skip(11 * 3600.0)
    assert house.calls() == []
    await house.skip(14 * 60.0)
    assert len(house.calls()) == 1
