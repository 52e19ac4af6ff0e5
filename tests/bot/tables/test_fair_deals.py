"""The seed is sealed before anyone joins, and the deal can be checked afterwards."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from sqlalchemy import make_url

from bot.model.table import Player
from bot.tables.deals import next_opening
from engine import Record, Resign, seed_hash, short_seal
from engine.__main__ import main
from tests.bot.chat import CELLAR, ROOM
from tests.bot.messages import text_of
from tests.bot.running_bot import ANNA, BORIS, RunningBot


async def test_the_seal_stands_in_the_lobby_and_in_verify_while_the_game_runs(bot: RunningBot) -> None:
    table = await bot.opened(ANNA)
    seal = f"🔒 Seal: {seed_hash(table.seed)[:32]}"
    assert seal in bot.table_message().text

    await bot.chat.presses(BORIS, bot.table_message().ref, "Join")
    await bot.chat.presses(ANNA, bot.table_message().ref, "Start")
    await bot.settle()
    assert "🔒" not in bot.table_message().text

    shown = (await bot.chat.types(BORIS, "/verify")).public
    assert shown is not None
    assert seal in text_of(shown)
    assert table.seed not in "".join(message.text for message in bot.chat.room_sees())

    await bot.app.tables.resign(table.id, ANNA)
    await bot.settle()
    assert table.seed not in bot.chat.room_sees()[-1].text  # which is about people

    shown = (await bot.chat.types(BORIS, "/verify")).public
    assert shown is not None
    assert f"🔑 Key: {table.seed}" in text_of(shown)


async def test_the_shuffle_takes_something_of_everybody_and_of_the_start(bot: RunningBot) -> None:
    table = await bot.opened(ANNA, BORIS)
    traces = {player.joined for player in table.players}
    assert len(traces - {""}) == 2

    deals = {
        next_opening(each, await bot.session(table), event).deck
        for each in (table, replace(table, players=(table.players[0], Player("Boris", BORIS.ref, "x"))))
        for event in ("start", "another start")
    }
    assert len(deals) == 4


async def test_no_id_of_a_press_is_kept_or_published(bot: RunningBot, database_url: str) -> None:
    table = await bot.dealt(ANNA, BORIS)
    await bot.app.tables.resign(table.id, BORIS)
    record = (await bot.chat.types(ANNA, "/verify")).document
    assert record is not None
    with closing(sqlite3.connect(make_url(database_url).database or "")) as file:
        kept = "\n".join(file.iterdump())

    assert "event-" not in kept + record.content.decode()


async def test_verify_is_about_one_game_in_the_language_of_its_room(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    await bot.app.tables.resign(table.id, BORIS)
    await bot.settle()

    for user in (ANNA, BORIS):
        await bot.chat.presses_token(user, bot.chat.room_sees()[-1].ref, f"g:{table.id}:1:rematch")
        await bot.settle()

    await bot.chat.presses(ANNA, bot.table_message().ref, "Start")
    await bot.settle()

    shown = (await bot.chat.types(replace(BORIS, locale="ru"), "/verify")).public
    assert shown is not None
    text = text_of(shown)
    assert text.startswith("The last game here")
    assert text.count("🔒") == 2  # in the check and beside the key, both of the game that is over
    assert "\n\n\n" not in text


async def test_verify_says_in_three_lines_what_is_checked_and_what_is_trusted(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    await bot.app.tables.resign(table.id, BORIS)
    reply = (await bot.chat.types(ANNA, "/verify")).public
    assert reply is not None
    _, *said = [line for line in text_of(reply).splitlines() if line]
    assert said[:3] == [
        "✅ The key fits the seal: 🔒 begins as you saw it before the deal.",
        "✅ Replayed with this key: the 1 move is legal.",
        "No player could choose the cards. Whether the bot’s owner did is a matter of trust.",
    ]


async def test_every_game_of_a_table_has_a_seal_of_its_own(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    await bot.app.tables.resign(table.id, ANNA)
    await bot.settle()

    await bot.chat.presses(BORIS, bot.chat.room_sees()[-1].ref, "Rematch")
    await bot.settle()

    again = await bot.app.tables.table(table.id)
    assert short_seal(again.seed) != short_seal(table.seed)
    assert short_seal(again.seed) in bot.table_message().text


async def test_verify_gives_the_record_which_anybody_can_check(bot: RunningBot, tmp_path: Path) -> None:
    assert (await bot.chat.types(ANNA, "/verify")).toast == "No game has been finished here yet."
    table = await bot.dealt(ANNA, BORIS)
    for _ in range(5):
        await bot.plays(table)

    assert (await bot.chat.types(ANNA, "/verify")).document is None

    await bot.app.tables.resign(table.id, BORIS)
    await bot.app.tables.rematch(table.id, ANNA)  # the next seed is secret again
    reply = await bot.chat.types(BORIS, "/verify")

    assert reply.public is not None
    assert reply.document is not None
    assert "❌" not in text_of(reply.public)
    assert table.seed in text_of(reply.public)

    record = Record.from_text(reply.document.content.decode())
    assert record.remarks == (f"game 1 of table {table.id}", "seat 0: Anna", "seat 1: Boris")
    assert record.actions[-1] == (1, Resign())

    file = tmp_path / reply.document.name
    file.write_bytes(reply.document.content)
    assert main(["verify", str(file)]) == 0
    assert (await bot.chat.types(ANNA, "/verify", CELLAR)).toast is not None


async def test_each_topic_of_a_room_verifies_its_own_last_game(bot: RunningBot) -> None:
    topics = [replace(ROOM, topic=topic) for topic in ("", "7", "8")]
    seeds = []
    for topic in topics:
        table = await bot.dealt(ANNA, BORIS, room=topic)
        await bot.app.tables.resign(table.id, ANNA)
        await bot.settle()
        seeds.append(table.seed)

    for topic, seed in zip(topics, seeds, strict=True):
        reply = await bot.chat.types(ANNA, "/verify", topic)
        assert reply.public is not None
        assert seed in text_of(reply.public)
