"""Whoever opened a table, and the admins of its chat, can take care of a running game."""

from dataclasses import replace

import pytest

from bot.lobby import Phase
from engine.runtime import Author
from tests.bot.chat import Chat
from tests.bot.house import ANNA, BORIS, CLARA, House


@pytest.fixture(params=[True, False], ids=["alone", "for-all"], autouse=True)
def opens_alone(request: pytest.FixtureRequest, chat: Chat) -> bool:
    """Whether the chat can answer a press alone: if not, everybody sees what is open."""
    is_alone = bool(request.param)
    chat.limits = replace(chat.limits, private_answers=is_alone)
    return is_alone


async def press(house: House, label: str) -> None:
    await house.taps(ANNA, label)


async def test_a_pause_lets_time_stand_still_until_somebody_goes_on(house: House) -> None:
    lobby = await house.dealt(ANNA, BORIS)
    await press(house, "Host")
    await press(house, "Pause")
    assert "⏸" in house.table_message().text
    version = (await house.cards(lobby)).version
    await house.restart()
    await house.skip(1000.0)
    assert (await house.cards(lobby)).version == version
    await press(house, "Host")
    await press(house, "Go on")
    await house.skip(10.0)
    assert (await house.cards(lobby)).version == version  # nobody is moved for in the very same moment
    await house.skip(200.0)
    assert (await house.cards(lobby)).version > version


async def test_a_host_moves_for_those_everybody_waits_for(house: House) -> None:
    lobby = await house.dealt(ANNA, BORIS)
    await press(house, "Host")
    await press(house, "Move for who is waited for")
    assert (await house.cards(lobby)).entries[1].author is Author.CLOCK


async def test_a_host_lets_a_house_player_take_a_seat_and_its_person_comes_back(house: House) -> None:
    lobby = await house.dealt(ANNA, BORIS)
    await press(house, "Host")
    await press(house, "House player for Boris")
    assert (await house.bot.parlour.lobby(lobby.id)).sitters[1].has_left
    await house.chat.presses(BORIS, house.hand_message(BORIS).ref, "Come back")
    assert not (await house.bot.parlour.lobby(lobby.id)).sitters[1].has_left


async def test_a_host_stops_the_game_or_looks_away(house: House) -> None:
    lobby = await house.dealt(ANNA, BORIS)
    await press(house, "Host")
    await press(house, "Back")
    assert [choice.label for choice in house.table_message().choices] == ["My hand", "Host"]
    await press(house, "Host")
    await press(house, "Stop the game")
    assert (await house.bot.parlour.lobby(lobby.id)).phase is Phase.CLOSED


async def test_others_cannot_and_admins_can(house: House) -> None:
    lobby = await house.dealt(ANNA, BORIS)
    table = house.table_message().ref
    denied = await house.chat.presses_token(BORIS, table, f"t:{lobby.id}:1:stop")
    assert denied.toast == "That is for who opened the table, or an admin of this chat."
    house.chat.moderators.add(CLARA.ref)
    for nobody in ("replace-9", "replace-0", "pause", "resume", "close", "skip"):
        reply = await house.chat.presses_token(CLARA, table, f"t:{lobby.id}:1:{nobody}")
        assert reply.toast is None
    await house.chat.presses_token(CLARA, table, f"t:{lobby.id}:1:stop")
    over = await house.chat.presses_token(CLARA, table, f"t:{lobby.id}:1:pause")
    assert over.toast == "No game is running here."


async def test_the_tables_own_buttons_stay_while_a_host_looks_after_the_game(
    house: House, opens_alone: bool
) -> None:
    lobby = await house.dealt(ANNA, BORIS)
    own = house.table_message().choices
    await press(house, "Host")
    assert house.table_message().choices[: len(own)] == own
    assert (house.table_message().choices == own) is opens_alone
    await press(house, "Stop the game")
    assert (await house.bot.parlour.lobby(lobby.id)).phase is Phase.CLOSED
    if opens_alone:
        assert not [message for message in house.chat.sees_alone(ANNA) if message.choices]
