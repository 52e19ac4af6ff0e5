"""A running game is stopped by all its players, or by a moderator, and its record names the reason."""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.port import PrivateChat, Reply, User
from bot.delivery.outbox import IN_SIGHT_SECONDS
from bot.handlers.notices import MAX_POSTS
from bot.model.table import Phase
from engine import Record, Stop
from engine.__main__ import main
from tests.bot.chat import ROOM
from tests.bot.messages import buttons_of, text_of
from tests.bot.running_bot import ANNA, BORIS, CLARA, RunningBot

NOT_YOURS = "A game stops when all its players agree, or a chat admin says so."


async def press(bot: RunningBot, user: User, label: str) -> None:
    await bot.chat.presses(user, bot.table_message().ref, label)
    await bot.settle()


async def record(bot: RunningBot, folder: Path) -> tuple[Record, str]:
    """Returns the record of /verify and its remarks; it can be verified without the bot."""
    reply = await bot.chat.types(CLARA, "/verify")
    assert reply.document is not None
    assert reply.public is not None
    file = folder / reply.document.name
    file.write_bytes(reply.document.content)
    assert main(["verify", str(file)]) == 0
    return Record.from_text(reply.document.content.decode()), text_of(reply.public)


async def test_who_opened_the_table_cannot_end_a_game_that_goes_badly(
    bot: RunningBot, tmp_path: Path
) -> None:
    table = await bot.dealt(ANNA, BORIS)
    await bot.plays(table)
    assert await bot.chat.types(ANNA, "/stop") == Reply()

    await bot.settle()
    await bot.taps(ANNA, "⚙️ Table")
    await bot.taps(ANNA, "Propose to stop")
    assert (await bot.app.tables.table(table.id)).phase is Phase.PLAYING
    assert "Anna proposes to stop the game.\nBoris still has to agree." in bot.table_message().text
    assert (await bot.chat.types(CLARA, "/stop")).toast == NOT_YOURS

    await press(bot, BORIS, "Yes, stop")
    assert (await bot.app.tables.table(table.id)).phase is Phase.CLOSED
    assert "All players agreed to stop" in bot.table_message().text

    kept, text = await record(bot, tmp_path)
    assert kept.stopped is Stop.AGREEMENT
    assert len(kept.actions) == 1
    assert "All players agreed to stop" in text
    assert "❌" not in text


async def test_those_who_are_asked_are_called_once_by_name_beside_the_buttons(bot: RunningBot) -> None:
    await bot.dealt(ANNA, BORIS, CLARA)
    before = bot.table_message().ref
    await bot.chat.types(BORIS, "/stop")
    await bot.settle()
    asked = bot.table_message()
    assert asked.ref != before
    assert before not in bot.chat.messages

    called = {span.text: span.mention for span in asked.screen.body if span.mention is not None}
    assert called == {"Anna": ANNA.ref, "Clara": CLARA.ref}
    assert {"Yes, stop", "Play on"} <= {button.label for button in asked.buttons}
    assert [button.besides for button in asked.buttons if button.label == "Yes, stop"] == [(BORIS.ref,)]

    await press(bot, CLARA, "Yes, stop")
    assert bot.table_message().ref == asked.ref
    wish = "Boris and Clara propose to stop the game.\nAnna still has to agree."
    assert wish in bot.table_message().text


async def test_a_host_who_agrees_at_the_table_reads_who_is_missing_and_gets_no_panel(
    bot: RunningBot,
) -> None:
    bot.chat.limits = replace(bot.chat.limits, private_chat=PrivateChat.IN_THE_ROOM)
    await bot.dealt(ANNA, BORIS, CLARA)
    await bot.chat.types(BORIS, "/stop")
    await bot.settle()

    reply = await bot.chat.presses(ANNA, bot.table_message().ref, "Yes, stop")
    assert reply == Reply(toast="Clara still has to agree.")


async def test_the_wish_to_stop_costs_one_post_and_one_edit_of_each_hand(bot: RunningBot) -> None:
    await bot.dealt(ANNA, BORIS, CLARA)
    before = len(bot.chat.sent)
    await bot.chat.types(BORIS, "/stop")
    await bot.settle()

    sent = Counter((sent.verb, sent.place) for sent in bot.chat.sent[before:])
    hands = {("edit", user.ref): 1 for user in (ANNA, BORIS, CLARA)}
    assert sent == {("delete", ROOM): 1, ("post", ROOM): 1} | hands


async def test_a_question_that_its_asker_takes_back_and_repeats_rings_once(bot: RunningBot) -> None:
    await bot.dealt(ANNA, BORIS, CLARA)
    await bot.chat.types(BORIS, "/stop")
    await bot.settle()
    asked = bot.table_message()

    for _ in range(3):
        await press(bot, BORIS, "Play on")
        await bot.chat.types(BORIS, "/stop")
        await bot.settle()

    assert bot.table_message().ref == asked.ref
    wish = "Boris proposes to stop the game.\nAnna and Clara still have to agree."
    assert wish in bot.table_message().text


async def asks_to_stop(bot: RunningBot, user: User) -> bool:
    """Types /stop; returns whether a new message of the table now mentions the players asked."""
    before = bot.table_message().ref
    await bot.chat.types(user, "/stop")
    await bot.settle()
    after = bot.table_message()
    has_names = any(span.mention is not None for span in after.screen.body)
    return after.ref != before and has_names


async def test_a_question_after_play_on_of_another_player_rings_again(bot: RunningBot) -> None:
    await bot.dealt(ANNA, BORIS, CLARA)
    for _ in range(3):
        assert await asks_to_stop(bot, BORIS)
        await press(bot, ANNA, "Play on")


async def test_a_question_later_in_the_same_game_rings_again(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, CLARA)
    assert await asks_to_stop(bot, BORIS)
    await press(bot, BORIS, "Play on")
    await bot.plays(table)
    assert await asks_to_stop(bot, BORIS)


async def test_nobody_makes_the_others_phones_ring_by_questions_as_often_as_they_like(
    bot: RunningBot,
) -> None:
    table = await bot.dealt(ANNA, BORIS, CLARA)
    rings = 0
    for _ in range(MAX_POSTS + 4):
        rings += await asks_to_stop(bot, BORIS)
        await press(bot, BORIS, "Play on")
        await bot.plays(table)

    assert rings == 1 + MAX_POSTS


async def test_each_may_type_it_and_each_may_play_on(bot: RunningBot) -> None:
    bot.chat.limits = replace(
        bot.chat.limits, private_chat=PrivateChat.BEHIND_A_STEP
    )  # the room reads the answers
    table = await bot.dealt(ANNA, BORIS, CLARA)
    assert await bot.chat.types(ANNA, "/stop") == Reply()

    await bot.settle()
    both = (
        "Anna and Boris propose to stop the game.\nClara still has to agree.\n"
        "If all agree, nobody is the fool."
    )
    repeated = (await bot.chat.types(BORIS, "/stop")).ephemeral
    assert repeated is not None
    assert text_of(repeated) == f"{both}\nTo the table"
    assert [button.label for button in buttons_of(repeated)] == ["Yes, stop", "Play on"]

    await bot.settle()
    assert both in bot.table_message().text

    await press(bot, CLARA, "Play on")
    assert "to stop" not in bot.table_message().text
    assert bot.chat.room_sees()[-1].text == "▶️ Clara wants to play on: the game isn’t stopped."

    for user in (ANNA, BORIS):
        await bot.chat.types(user, "/stop")

    assert await bot.chat.types(CLARA, "/stop") == Reply()
    assert (await bot.app.tables.table(table.id)).stopped is Stop.AGREEMENT


async def test_a_moderator_who_plays_asks_the_others(bot: RunningBot) -> None:
    bot.chat.moderators |= {ANNA.ref, CLARA.ref}
    table = await bot.dealt(ANNA, BORIS)
    assert await bot.chat.types(ANNA, "/stop") == Reply()
    await bot.settle()
    assert "Boris still has to agree." in bot.table_message().text

    await bot.chat.types(CLARA, "/stop")
    assert (await bot.app.tables.table(table.id)).stopped is Stop.MODERATOR


async def test_who_has_left_is_not_asked(bot: RunningBot) -> None:
    await bot.dealt(ANNA, BORIS, CLARA)
    await bot.chat.presses(CLARA, bot.hand_message(CLARA).ref, "🚪 Leave")
    await bot.settle()
    await bot.chat.presses(CLARA, bot.hand_message(CLARA).ref, "Let a bot")
    await bot.chat.types(ANNA, "/stop")
    assert await bot.chat.types(BORIS, "/stop") == Reply()


async def test_a_moderator_stops_a_game_and_the_record_says_it_after_a_restart(
    bot: RunningBot, tmp_path: Path
) -> None:
    await bot.dealt(ANNA, BORIS)
    bot.chat.moderators.add(CLARA.ref)
    assert await bot.chat.types(CLARA, "/stop") == Reply()
    await bot.restart()
    kept, text = await record(bot, tmp_path)
    assert kept.stopped is Stop.MODERATOR
    assert "A chat admin stopped" in text


async def test_one_person_among_house_players_stops_at_once(bot: RunningBot) -> None:
    table = await bot.opened(ANNA)
    await press(bot, ANNA, "Add bot")
    await press(bot, ANNA, "Start")

    assert await bot.chat.types(ANNA, "/stop") == Reply()
    assert (await bot.app.tables.table(table.id)).stopped is Stop.AGREEMENT

    await bot.settle()
    assert "The game was stopped: it has no result." in bot.table_message().text
    assert "agreed" not in bot.table_message().text


async def test_a_stopped_table_says_so_where_it_is_and_never_below_the_next_one(bot: RunningBot) -> None:
    await bot.dealt(ANNA, BORIS)
    stopped = bot.table_message().ref
    await bot.skip(IN_SIGHT_SECONDS)

    bot.chat.moderators.add(CLARA.ref)
    reply = await bot.chat.types(CLARA, "/stop")
    assert reply.toast == "A chat admin stopped the game: it has no result."
    await bot.chat.types(ANNA, "/durak")
    await bot.settle()

    assert "This table is closed." in bot.chat.messages[stopped].text
    assert "Join" in [button.label for button in bot.chat.room_sees()[-1].buttons]


async def test_the_question_is_not_carried_into_the_next_game(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    await bot.chat.types(ANNA, "/stop")
    await bot.app.tables.resign(table.id, BORIS)

    for user in (ANNA, BORIS):
        await bot.app.tables.rematch(table.id, user)

    await bot.app.tables.start(table.id, ANNA.ref)
    assert not (await bot.app.tables.table(table.id)).agreed

    over = await bot.chat.presses_token(BORIS, bot.table_message().ref, f"t:{table.id}:1:stop")
    assert over.toast == "That’s from an earlier game."


async def test_the_newest_game_is_verified_however_it_ended(bot: RunningBot, tmp_path: Path) -> None:
    table = await bot.dealt(ANNA, BORIS)
    await bot.app.tables.resign(table.id, BORIS)
    await bot.skip(60)
    await bot.dealt(ANNA, BORIS)

    for user in (ANNA, BORIS):
        await bot.chat.types(user, "/stop")

    assert (await record(bot, tmp_path))[0].stopped is Stop.AGREEMENT
    await bot.skip(60)
    again = await bot.dealt(ANNA, BORIS)
    await bot.app.tables.resign(again.id, BORIS)

    assert (await record(bot, tmp_path))[0].stopped is None


@pytest.mark.parametrize("line", ["stopped by nobody", "stopped by agreement\nstopped by moderator"])
async def test_a_record_that_was_stopped_in_no_known_way_cannot_be_read(
    bot: RunningBot, tmp_path: Path, line: str
) -> None:
    await bot.dealt(ANNA, BORIS)
    for user in (ANNA, BORIS):
        await bot.chat.types(user, "/stop")

    kept, _ = await record(bot, tmp_path)
    file = tmp_path / "mangled.txt"
    file.write_text(kept.to_text().replace("stopped by agreement", line))
    assert main(["verify", str(file)]) == 2

    file.write_text(kept.to_text().replace("stopped by agreement\n", ""))
    assert main(["verify", str(file)]) == 1


async def test_an_author_who_alone_reads_the_answer_is_not_asked_whether_they_agree(bot: RunningBot) -> None:
    await bot.dealt(ANNA, BORIS, CLARA)
    await bot.chat.types(BORIS, "/stop")
    await bot.settle()

    again = (await bot.chat.types(BORIS, "/stop")).ephemeral
    assert again is not None
    wish = "You proposed to stop the game.\nAnna and Clara still have to agree."
    assert text_of(again) == f"{wish}\nTo the table"
    assert [button.label for button in buttons_of(again)] == ["Play on"]


@pytest.mark.parametrize(
    "command", ["/stop", "/durak 25:00", "/durak nonsense=1", "/fool never", "/cup 25:00"]
)
async def test_a_refusal_that_the_asker_alone_reads_is_in_their_language(
    bot: RunningBot, command: str
) -> None:
    await bot.app.servers.choose(ROOM.server, locale="ru")
    await bot.chat.types(CLARA, "/language de")
    bot.chat.limits = replace(bot.chat.limits, private_chat=PrivateChat.BEHIND_A_STEP)
    in_room = (await bot.chat.types(CLARA, command)).toast
    assert in_room is not None
    assert re.search("[а-я]", in_room)

    bot.chat.limits = replace(bot.chat.limits, private_chat=PrivateChat.IN_THE_ROOM)
    alone = (await bot.chat.types(CLARA, command)).toast
    assert alone is not None
    assert not re.search("[а-я]", alone)
