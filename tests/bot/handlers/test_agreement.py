"""A running game is stopped by everybody who plays, or by a moderator, and its record says so."""

from pathlib import Path

import pytest

from adapters.port import User
from bot.model.table import Phase
from engine import Record, Stop
from engine.__main__ import main
from tests.bot.chat import text_of
from tests.bot.house import ANNA, BORIS, CLARA, House

NOTED = "Noted: the game stops as soon as everybody agrees who plays."
NOT_YOURS = "A running game stops when everybody agrees who plays, or when an admin of this chat says so."


async def press(house: House, user: User, label: str) -> None:
    await house.chat.presses(user, house.table_message().ref, label)
    await house.settle()


async def record(house: House, folder: Path) -> tuple[Record, str]:
    """Give the record that /verify gives and what it says; it holds without the bot, too."""
    reply = await house.chat.types(CLARA, "/verify")
    assert reply.document is not None
    assert reply.public is not None
    file = folder / reply.document.name
    file.write_bytes(reply.document.content)
    assert main(["verify", str(file)]) == 0
    return Record.from_text(reply.document.content.decode()), text_of(reply.public)


async def test_who_opened_the_table_cannot_end_a_game_that_goes_badly(house: House, tmp_path: Path) -> None:
    table = await house.dealt(ANNA, BORIS)
    await house.plays(table)
    assert (await house.chat.types(ANNA, "/stop")).toast == NOTED
    await house.taps(ANNA, "Host")
    await house.taps(ANNA, "Stop the game")
    assert (await house.bot.tables.table(table.id)).phase is Phase.PLAYING
    assert "Stop this game? Agreed: Anna. Waiting for: Boris." in house.table_message().text
    assert (await house.chat.types(CLARA, "/stop")).toast == NOT_YOURS

    await press(house, BORIS, "Agree to stop")
    assert (await house.bot.tables.table(table.id)).phase is Phase.CLOSED
    assert "stopped by agreement" in house.table_message().text
    kept, told = await record(house, tmp_path)
    assert kept.stopped is Stop.AGREEMENT
    assert len(kept.actions) == 1
    assert "stopped by agreement" in told
    assert "❌" not in told


async def test_each_may_type_it_and_each_may_play_on(house: House) -> None:
    table = await house.dealt(ANNA, BORIS, CLARA)
    for user in (ANNA, BORIS):
        assert (await house.chat.types(user, "/stop")).toast == NOTED
    await house.settle()
    assert "Agreed: Anna, Boris. Waiting for: Clara." in house.table_message().text
    await press(house, CLARA, "Play on")
    assert "Stop this game?" not in house.table_message().text
    for user in (ANNA, BORIS):
        assert (await house.chat.types(user, "/stop")).toast == NOTED
    assert (await house.chat.types(CLARA, "/stop")).toast == "The table is put away."
    assert (await house.bot.tables.table(table.id)).stopped is Stop.AGREEMENT


async def test_who_has_left_is_not_asked(house: House) -> None:
    await house.dealt(ANNA, BORIS, CLARA)
    await house.chat.presses(CLARA, house.hand_message(CLARA).ref, "🏳️ Leave")
    await house.settle()
    await house.chat.presses(CLARA, house.hand_message(CLARA).ref, "Let a house player")
    await house.chat.types(ANNA, "/stop")
    assert (await house.chat.types(BORIS, "/stop")).toast == "The table is put away."


async def test_a_moderator_stops_a_game_and_the_record_says_it_after_a_restart(
    house: House, tmp_path: Path
) -> None:
    await house.dealt(ANNA, BORIS)
    house.chat.moderators.add(CLARA.ref)
    assert (await house.chat.types(CLARA, "/stop")).toast == "The table is put away."
    await house.restart()
    kept, told = await record(house, tmp_path)
    assert kept.stopped is Stop.MODERATOR
    assert "stopped by an admin" in told


async def test_one_person_among_house_players_stops_at_once(house: House) -> None:
    table = await house.opened(ANNA)
    await press(house, ANNA, "Add house player")
    await press(house, ANNA, "Start")
    assert (await house.chat.types(ANNA, "/stop")).toast == "The table is put away."
    assert (await house.bot.tables.table(table.id)).stopped is Stop.AGREEMENT


async def test_the_question_is_not_carried_into_the_next_game(house: House) -> None:
    table = await house.dealt(ANNA, BORIS)
    await house.chat.types(ANNA, "/stop")
    await house.bot.tables.resign(table.id, BORIS)
    await house.bot.tables.rematch(table.id, ANNA)
    await house.bot.tables.start(table.id, ANNA.ref)
    assert not (await house.bot.tables.table(table.id)).agreed
    over = await house.chat.presses_token(BORIS, house.table_message().ref, f"t:{table.id}:1:stop")
    assert over.toast == "That belongs to an earlier game."


async def test_the_newest_game_is_verified_however_it_ended(house: House, tmp_path: Path) -> None:
    table = await house.dealt(ANNA, BORIS)
    await house.bot.tables.resign(table.id, BORIS)
    await house.skip(60)
    await house.dealt(ANNA, BORIS)
    for user in (ANNA, BORIS):
        await house.chat.types(user, "/stop")
    assert (await record(house, tmp_path))[0].stopped is Stop.AGREEMENT
    await house.skip(60)
    again = await house.dealt(ANNA, BORIS)
    await house.bot.tables.resign(again.id, BORIS)
    assert (await record(house, tmp_path))[0].stopped is None


@pytest.mark.parametrize("line", ["stopped by nobody", "stopped by agreement\nstopped by moderator"])
async def test_a_record_that_was_stopped_in_no_known_way_cannot_be_read(
    house: House, tmp_path: Path, line: str
) -> None:
    await house.dealt(ANNA, BORIS)
    for user in (ANNA, BORIS):
        await house.chat.types(user, "/stop")
    kept, _ = await record(house, tmp_path)
    file = tmp_path / "mangled.txt"
    file.write_text(kept.to_text().replace("stopped by agreement", line))
    assert main(["verify", str(file)]) == 2
    file.write_text(kept.to_text().replace("stopped by agreement\n", ""))
    assert main(["verify", str(file)]) == 1
