"""Games with real cards: their entry, confirmation, effects and removal."""

import asyncio
import time
from dataclasses import replace
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from adapters.port import (
    Attachment,
    Delivered,
    Everyone,
    MessageRef,
    PrivateChat,
    Reply,
    RoomRef,
    ServerRef,
    User,
)
from bot.features.real_cards import model
from bot.features.real_cards.model import DAY, FOOL_DELAY_SECONDS, MAX_BYTES, MAX_ENTRIES_A_DAY, CardGame
from bot.features.real_cards.part import RealCards
from bot.features.real_cards.screens import preview_screen
from bot.features.real_cards.store import GAMES_PER_BATCH, KEPT_UNCONFIRMED
from bot.locale import Translator
from bot.screens.refusals import NOT_SHOWN
from bot.storage import StandingsStore
from tests.bot.chat import PLATFORM, ROOM, person
from tests.bot.handlers.test_privacy import data_of
from tests.bot.messages import Message, place_of, text_of
from tests.bot.running_bot import ANNA, BORIS, CLARA, SHORT_GAME, RunningBot
from tests.bot.statements import counted

OTHER_CLUB = RoomRef(ServerRef(PLATFORM, "other-club"), "parlour")
RIGHT = "That’s right"
WRONG = "That’s wrong"
ANOTHER = "The fool, or other players, have to confirm it."
HOUR = 60 * 60.0
DAN = person("Dan")
ENTERED = "📇 With real cards: Boris is the fool!"
GAMES = "date,fool,players\n1970-01-02,Boris,Anna\n1970-01-03,Boris,Clara\n1970-01-04,Nobody,Clara\n"


def file_of(text: str, size: int | None = None) -> Attachment:
    async def fetch() -> bytes:
        return text.encode()

    if size is None:
        size = len(text)
    return Attachment("games.csv", size, fetch)


def newest(bot: RunningBot) -> Message:
    return bot.chat.room_sees()[-1]


async def types(bot: RunningBot, *args: Any, **kwargs: Any) -> Reply:
    """Types a command, and waits until everything shows what it has changed."""
    reply = await bot.chat.types(*args, **kwargs)
    await bot.settle()
    return reply


async def presses(bot: RunningBot, user: User, ref: MessageRef, label: str) -> Reply:
    """Presses a button, and waits until everything shows what it has changed."""
    reply = await bot.chat.presses(user, ref, label)
    await bot.settle()
    return reply


async def entered(bot: RunningBot) -> Message:
    """Enters a game of Anna's with Boris as the fool and Clara as the third player."""
    await types(bot, ANNA, "/fool add", mentioned=(BORIS, CLARA))
    return newest(bot)


async def test_an_answer_of_which_nobody_has_heard_is_not_posted_again_after_a_kill(bot: RunningBot) -> None:
    bot.chat.keeps_answers = True
    bot.chat.answers_arrive = False
    await bot.chat.types(ANNA, "/fool add", mentioned=(BORIS, CLARA))
    await bot.restart()
    await bot.skip(60)
    assert [message.text.splitlines()[0] for message in bot.chat.room_sees()] == [ENTERED]


async def test_an_entry_that_waits_while_its_room_moves_is_followed_after_a_kill(bot: RunningBot) -> None:
    bot.chat.floods[ROOM] = 10.0
    await types(bot, ANNA, "/fool add", mentioned=(BORIS, CLARA))
    await bot.app.inbox.room_moved(ROOM, OTHER_CLUB)
    await bot.skip(60)
    await bot.restart()
    (message,) = bot.chat.room_sees(OTHER_CLUB)
    await presses(bot, BORIS, message.ref, RIGHT)
    assert [each.text.splitlines()[0] for each in bot.chat.room_sees(OTHER_CLUB)] == [ENTERED]
    assert "agrees" not in bot.chat.messages[message.ref].text


async def test_a_question_beside_the_link_to_a_table_outlasts_the_next_link(bot: RunningBot) -> None:
    bot.links = "https://durak.example/in/link"
    await bot.restart()
    bot.chat.closed.add(BORIS.ref)
    await entered(bot)
    await bot.skip(60)
    await bot.opened(CLARA)
    await presses(bot, BORIS, bot.table_message().ref, "📱")
    (question,) = [message for message in bot.chat.sees_alone(BORIS) if "Is that so?" in message.text]

    for _ in range(2):
        await presses(bot, BORIS, bot.table_message().ref, "📱")

    assert question.ref in bot.chat.messages


async def asked_at_a_press(bot: RunningBot) -> tuple[Message, Message]:
    """Enters a game whose fool can't be written to; returns its message, and the question at their press."""
    bot.chat.closed.add(BORIS.ref)
    message = await entered(bot)

    await bot.skip(60)
    await bot.opened(CLARA)
    await presses(bot, BORIS, bot.table_message().ref, "Join")

    (question,) = (seen for seen in bot.chat.messages.values() if "Is that so?" in seen.text)
    return message, question


async def fools(bot: RunningBot) -> list[str]:
    """Returns the lines of /fool about everyone."""
    reply = await types(bot, ANNA, "/fool")
    assert reply.public is not None
    return text_of(reply.public).splitlines()[2:]


async def test_a_copy_that_is_throttled_is_shown_again(bot: RunningBot) -> None:
    message = await entered(bot)
    await bot.skip(FOOL_DELAY_SECONDS)
    question = bot.chat.sees_alone(BORIS)[-1]
    bot.chat.floods[place_of(Everyone(ROOM))] = 20.0
    await presses(bot, BORIS, question.ref, RIGHT)
    await bot.settle()
    assert "It counts once" in bot.chat.messages[message.ref].text

    await bot.skip(21.0)
    assert "It counts once" not in bot.chat.messages[message.ref].text


async def test_a_game_counts_once_the_fool_agrees(bot: RunningBot) -> None:
    message = await entered(bot)
    assert message.text.splitlines() == [
        ENTERED,
        "Played: Boris, Clara, Anna",
        "It counts once Boris agrees.",
    ]

    await presses(bot, CLARA, message.ref, RIGHT)
    assert not any("Boris" in line for line in await fools(bot))
    assert (await presses(bot, BORIS, message.ref, RIGHT)).toast is None
    assert await fools(bot) == [
        "🃏 Boris · 1 of 1 game · 100% · 📇 1",
        "2. Clara · 0 of 1 game · 0% · 📇 1",
        "2. Anna · 0 of 1 game · 0% · 📇 1",
    ]

    shown = bot.chat.messages[message.ref]
    assert [button.label for button in shown.buttons] == [WRONG]
    assert "agrees" not in shown.text


async def introduces_boris(bot: RunningBot) -> None:
    """Introduces Boris, as a player of an earlier game here."""
    await bot.plays_to_the_end(await bot.dealt(BORIS, CLARA, rules=SHORT_GAME))


async def of_four(bot: RunningBot) -> Message:
    """Enters a game of Anna's with Boris as the fool, and Clara and Dan."""
    await types(bot, ANNA, "/fool add", mentioned=(BORIS, CLARA, DAN))
    return newest(bot)


def waits(bot: RunningBot, message: Message) -> bool:
    return "It counts once" in bot.chat.messages[message.ref].text


async def test_two_others_confirm_it_where_the_fool_gives_no_answer_for_a_day(bot: RunningBot) -> None:
    await introduces_boris(bot)
    message = await of_four(bot)
    for user in (CLARA, DAN):
        await presses(bot, user, message.ref, RIGHT)

    assert "Confirmed by Clara, Dan" in bot.chat.messages[message.ref].text
    await bot.skip(60)  # Boris gets a notice
    await bot.skip(DAY - 120)
    assert waits(bot, message)

    await bot.restart()
    await bot.skip(180)
    assert not waits(bot, message), "the room sees that it counts"
    assert any("Boris" in line and "📇 1" in line for line in await fools(bot))


async def test_one_other_and_who_entered_it_are_not_two_others(bot: RunningBot) -> None:
    await introduces_boris(bot)
    message = await of_four(bot)
    await presses(bot, CLARA, message.ref, RIGHT)
    await bot.skip(60)
    await bot.skip(DAY)
    assert waits(bot, message)
    assert (await presses(bot, ANNA, message.ref, RIGHT)).toast == ANOTHER

    await presses(bot, DAN, message.ref, RIGHT)
    assert not waits(bot, message)


async def test_nobody_makes_a_stranger_the_fool_without_their_word(bot: RunningBot) -> None:
    bot.chat.closed.add(BORIS.ref)
    message = await of_four(bot)
    assert "It counts once Boris agrees." in message.text

    for user in (CLARA, DAN):
        await presses(bot, user, message.ref, RIGHT)

    await bot.skip(DAY + 60)
    await presses(bot, CLARA, message.ref, RIGHT)
    assert waits(bot, message)


async def test_who_owns_up_to_be_the_fool_needs_nobody(bot: RunningBot) -> None:
    await types(bot, BORIS, "/fool add", mentioned=(BORIS, ANNA))
    assert not waits(bot, newest(bot))
    await bot.skip(60)
    assert bot.chat.rang_for(BORIS) == []


async def test_the_fool_is_told_in_private_by_day_and_answers_there(bot: RunningBot) -> None:
    message = await entered(bot)
    assert bot.chat.rang_for(BORIS) == []

    await bot.skip(60)
    (notice,) = bot.chat.sees_alone(BORIS)
    assert (
        notice.text.splitlines()[0] == "📇 Anna entered a game with real cards: you’re the fool. Is that so?"
    )
    assert [button.label for button in notice.buttons] == [RIGHT, WRONG]
    assert bot.chat.rang_for(CLARA) == []

    await presses(bot, BORIS, notice.ref, RIGHT)
    assert not waits(bot, message), "the room sees that it counts"

    await bot.restart()
    await bot.skip(DAY * 2)
    assert len(bot.chat.rang_for(BORIS)) == 1


def labels(bot: RunningBot, message: Message) -> list[str]:
    return [button.label for button in bot.chat.messages[message.ref].buttons]


async def test_the_question_is_settled_in_private_once_the_fool_agrees_in_the_room(bot: RunningBot) -> None:
    message = await entered(bot)
    await bot.skip(60)
    (notice,) = bot.chat.sees_alone(BORIS)
    await bot.restart()
    await presses(bot, BORIS, message.ref, RIGHT)
    assert "doesn’t count" not in bot.chat.messages[notice.ref].text
    assert labels(bot, notice) == [WRONG]

    await presses(bot, BORIS, notice.ref, WRONG)
    assert bot.chat.messages[message.ref].text == f"{ENTERED}\nBoris took it out."


async def test_the_question_is_settled_in_private_once_others_have_taken_it_back(bot: RunningBot) -> None:
    message = await entered(bot)
    await bot.skip(60)
    (notice,) = bot.chat.sees_alone(BORIS)
    await presses(bot, ANNA, message.ref, WRONG)
    assert labels(bot, notice) == []
    assert "Taken back." in bot.chat.messages[notice.ref].text


async def test_the_question_says_it_counts_once_others_have_confirmed_it_in_silence(bot: RunningBot) -> None:
    await introduces_boris(bot)
    message = await of_four(bot)
    for user in (CLARA, DAN):
        await presses(bot, user, message.ref, RIGHT)

    await bot.skip(60)
    notice = bot.chat.sees_alone(BORIS)[-1]
    await bot.skip(DAY)

    assert "It counts. You can take it out for a week." in bot.chat.messages[notice.ref].text
    assert labels(bot, notice) == [WRONG]


@pytest.mark.parametrize("are_answers_ephemeral", [False, True])
async def test_the_question_is_settled_in_the_room_as_well(
    bot: RunningBot, *, are_answers_ephemeral: bool
) -> None:
    private_chat = PrivateChat.IN_THE_ROOM if are_answers_ephemeral else PrivateChat.BEHIND_A_STEP
    bot.chat.limits = replace(bot.chat.limits, private_chat=private_chat)
    message, question = await asked_at_a_press(bot)
    await presses(bot, BORIS, message.ref, RIGHT)

    assert "Is that so?" not in bot.chat.messages[question.ref].text
    assert labels(bot, question) == [WRONG]


async def test_an_answer_in_the_room_where_it_was_asked_is_seen_under_the_game(bot: RunningBot) -> None:
    message, question = await asked_at_a_press(bot)
    await presses(bot, BORIS, question.ref, RIGHT)

    assert not waits(bot, message)


async def test_who_never_opens_the_private_chat_is_left_alone_after_a_week(bot: RunningBot) -> None:
    bot.chat.closed.add(BORIS.ref)
    await entered(bot)
    await bot.skip(7 * DAY)
    before = len(bot.chat.sent)
    bot.chat.closed.clear()
    await bot.restart()
    await bot.skip(DAY)

    assert [sent for sent in bot.chat.sent[before:] if sent.place == BORIS.ref] == []


async def test_two_games_are_told_one_after_the_other_to_who_cannot_be_written_to(bot: RunningBot) -> None:
    bot.chat.closed.add(BORIS.ref)
    for _ in range(2):
        await entered(bot)
        await bot.skip(60)

    await bot.opened(CLARA)
    for label in ("Join", "Leave"):
        reply = await presses(bot, BORIS, bot.table_message().ref, label)
        assert reply.ephemeral is not None
        assert "you’re the fool" in text_of(reply.ephemeral)


async def test_the_day_of_the_fool_begins_when_they_are_told(bot: RunningBot) -> None:
    await introduces_boris(bot)
    bot.chat.moderators.add(ANNA.ref)
    await types(bot, ANNA, "/settings quiet 0-7")
    local = (await bot.app.servers.choices(ROOM.server)).local_time
    await bot.skip(local.daily(bot.clock.now(), 1) - bot.clock.now())
    message = await of_four(bot)

    for user in (CLARA, DAN):
        await presses(bot, user, message.ref, RIGHT)

    for hours in (5, 2, 17):
        await bot.skip(hours * HOUR)

    assert waits(bot, message), "they were told at seven"
    await bot.skip(8 * HOUR)
    assert not waits(bot, message)


async def test_a_game_posted_as_the_process_ended_is_shown_again_after_a_press_on_it(bot: RunningBot) -> None:
    bot.chat.answers_arrive = False
    message = await entered(bot)
    await bot.restart()
    await presses(bot, CLARA, message.ref, RIGHT)
    await bot.skip(60)
    (notice,) = bot.chat.sees_alone(BORIS)
    await presses(bot, BORIS, notice.ref, RIGHT)

    assert not waits(bot, message)
    shown = [seen for seen in bot.chat.room_sees() if seen.text.startswith(ENTERED)]
    assert [seen.ref for seen in shown] == [message.ref]


async def test_the_message_of_a_file_is_kept_though_a_fool_takes_out_their_games(bot: RunningBot) -> None:
    preview = await imported(bot, "1970-01-02,Boris,Clara\n1970-01-03,Clara,Boris\n")
    await presses(bot, ANNA, preview.ref, "Count 2 games")
    await bot.skip(60)
    notice = bot.chat.sees_alone(BORIS)[-1]
    await presses(bot, BORIS, notice.ref, WRONG)
    assert newest(bot).text.startswith("📇 With real cards: 1 game\n")


async def test_nobody_is_told_at_night(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await types(bot, ANNA, "/settings quiet 0-7")
    local = (await bot.app.servers.choices(ROOM.server)).local_time
    await bot.skip(local.daily(bot.clock.now(), 1) - bot.clock.now())
    await entered(bot)
    await bot.skip(HOUR)
    assert bot.chat.rang_for(BORIS) == []

    await bot.skip(HOUR * 6)
    assert len(bot.chat.rang_for(BORIS)) == 1


async def test_who_cannot_be_written_to_is_told_at_their_next_press_in_that_chat(bot: RunningBot) -> None:
    bot.chat.closed.add(BORIS.ref)
    await entered(bot)
    await bot.skip(60)
    await bot.restart()
    await bot.opened(CLARA)

    reply = await presses(bot, BORIS, bot.table_message().ref, "Join")
    assert reply.ephemeral is not None
    assert "you’re the fool" in text_of(reply.ephemeral)

    again = await presses(bot, BORIS, bot.table_message().ref, "Leave")
    assert again.ephemeral is None


async def test_who_is_named_takes_it_out_at_once_for_a_week(bot: RunningBot) -> None:
    message = await entered(bot)
    await presses(bot, BORIS, message.ref, RIGHT)
    await bot.skip(6 * DAY)
    await presses(bot, BORIS, message.ref, WRONG)
    assert bot.chat.messages[message.ref].text == f"{ENTERED}\nBoris took it out."
    assert not any("Boris" in line for line in await fools(bot))

    late = await entered(bot)
    await presses(bot, BORIS, late.ref, RIGHT)
    await bot.skip(7 * DAY + 60)

    assert "for a week" in ((await presses(bot, BORIS, late.ref, WRONG)).toast or "")


async def test_an_objection_in_private_is_seen_in_the_room(bot: RunningBot) -> None:
    message = await entered(bot)
    await bot.skip(60)
    (notice,) = bot.chat.sees_alone(BORIS)
    await presses(bot, BORIS, notice.ref, WRONG)
    assert bot.chat.messages[message.ref].text == f"{ENTERED}\nBoris took it out."


async def test_neither_who_entered_it_nor_who_did_not_play_confirms_it(bot: RunningBot) -> None:
    await types(bot, ANNA, "/fool add", mentioned=(BORIS,))
    message = newest(bot)
    for user in (ANNA, CLARA):
        assert (await presses(bot, user, message.ref, RIGHT)).toast == ANOTHER
    assert not any("Boris" in line for line in await fools(bot))


async def test_a_game_confirmed_twice_counts_once_also_after_a_restart(bot: RunningBot) -> None:
    message = await entered(bot)
    await bot.restart()
    for user in (CLARA, CLARA, BORIS):
        await presses(bot, user, message.ref, RIGHT)
    assert (await fools(bot))[0] == "🃏 Boris · 1 of 1 game · 100% · 📇 1"


async def test_who_entered_it_takes_it_back_within_a_day_and_admins_later(bot: RunningBot) -> None:
    message = await entered(bot)
    await presses(bot, BORIS, message.ref, RIGHT)
    assert "for a day" in ((await presses(bot, DAN, message.ref, WRONG)).toast or "")

    await bot.skip(7 * DAY)
    assert "for a day" in ((await presses(bot, ANNA, message.ref, WRONG)).toast or "")

    bot.chat.moderators.add(DAN.ref)
    await presses(bot, DAN, message.ref, WRONG)
    assert bot.chat.messages[message.ref].text == f"{ENTERED}\nDan took it out."
    assert not any("Boris" in line for line in await fools(bot))

    again = await entered(bot)
    token = again.buttons[0].token
    await presses(bot, ANNA, again.ref, WRONG)

    assert bot.chat.messages[again.ref].text == f"{ENTERED}\nTaken back."
    assert (await bot.chat.presses_token(BORIS, again.ref, token)).toast == NOT_SHOWN


async def test_nobody_enters_more_than_five_a_day_though_they_take_them_back(bot: RunningBot) -> None:
    for _ in range(MAX_ENTRIES_A_DAY):
        await presses(bot, ANNA, (await entered(bot)).ref, WRONG)

    before = len(bot.chat.room_sees())
    reply = await types(bot, ANNA, "/fool add", mentioned=(BORIS,))
    assert (reply.public, reply.toast) == (None, "You’ve entered enough for today: try again tomorrow.")
    assert len(bot.chat.room_sees()) == before
    await types(bot, CLARA, "/fool add", mentioned=(BORIS,))
    await bot.skip(DAY)
    await types(bot, ANNA, "/fool add", mentioned=(BORIS,))
    assert len(bot.chat.room_sees()) == before + 2


async def test_a_game_that_nobody_confirms_is_forgotten(bot: RunningBot) -> None:
    first = await entered(bot)
    await bot.skip(KEPT_UNCONFIRMED + 1)
    await entered(bot)
    assert (
        await presses(bot, BORIS, first.ref, RIGHT)
    ).toast == "That’s gone: it was taken back, or a newer file replaced it."


async def test_people_are_named_by_what_they_are_called_here(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.plays_to_the_end(table)
    await types(bot, CLARA, "/fool add @boris anna")
    assert newest(bot).text.splitlines()[:2] == [ENTERED, "Played: Boris, Anna, Clara"]


async def test_commas_may_stand_between_the_people_of_a_game(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.plays_to_the_end(table)
    await types(bot, CLARA, "/fool add Boris, @anna")
    assert newest(bot).text.splitlines()[:2] == [ENTERED, "Played: Boris, Anna, Clara"]


@pytest.mark.parametrize(
    ("typed", "told"), [("", "Mention the fool first"), (" @dan", "I don’t know who “@dan”")]
)
async def test_a_game_without_people_is_none(bot: RunningBot, typed: str, told: str) -> None:
    reply = await types(bot, ANNA, f"/fool add{typed}")
    assert (reply.toast or "").startswith(told)
    assert reply.public is None


async def test_real_cards_change_no_rating_and_are_counted_apart_if_a_server_wants(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.plays_to_the_end(table)

    ratings = StandingsStore(bot.database).ratings
    before = await ratings(ROOM.server)
    alone = await fools(bot)

    await presses(bot, BORIS, (await entered(bot)).ref, RIGHT)
    assert await ratings(ROOM.server) == before
    assert any(" of 2 games" in line for line in await fools(bot))

    await types(bot, ANNA, "/settings cards apart")
    assert await fools(bot) == [
        *alone,
        "",
        "📇 With real cards",
        "🃏 Boris · 1 of 1 game · 100% · 📇 1",
        "2. Anna · 0 of 1 game · 0% · 📇 1",
        "2. Clara · 0 of 1 game · 0% · 📇 1",
    ]


async def test_a_token_from_another_club_changes_nothing(bot: RunningBot) -> None:
    message = await entered(bot)
    token = message.buttons[0].token
    await types(bot, BORIS, "/help", OTHER_CLUB)
    reply = await bot.chat.presses_token(BORIS, MessageRef(PLATFORM, "?"), token, seen_in=OTHER_CLUB)
    assert reply.toast == NOT_SHOWN
    assert not any("Boris" in line for line in await fools(bot))


async def test_a_file_is_shown_to_an_admin_and_counted_at_a_press(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, CLARA, rules="throw_in=none deck=24 hand_size=8")
    await bot.stopped(ANNA, BORIS, CLARA)

    assert table.game == 1
    assert (await types(bot, ANNA, "/fool import", attachment=file_of(GAMES))).toast is not None

    bot.chat.moderators.add(ANNA.ref)
    reply = await types(bot, ANNA, "/fool import", attachment=file_of(GAMES))
    assert reply.ephemeral is not None
    assert text_of(reply.ephemeral).splitlines() == [
        "📇 With real cards: 2 games",
        "The fool: Boris 2",
        "From January 2, 1970 to January 3, 1970",
        "",
        "Counted, they can still be taken back: by you for a day with the button that is then under them, "
        "by admins always, and by everybody named as the fool for a week.",
        "",
        "1 line cannot be read:",
        "line 4: nobody here is called “Nobody”",
    ]
    assert not any("Boris" in line for line in await fools(bot))

    await bot.restart()
    preview = next(
        message for message in bot.chat.messages.values() if message.text == text_of(reply.ephemeral)
    )
    await presses(bot, ANNA, preview.ref, "Count 2 games")

    assert (await fools(bot))[0] == "🃏 Boris · 2 of 2 games · 100% · 📇 2"
    again = await types(bot, ANNA, "/fool import", attachment=file_of(GAMES))
    assert again.ephemeral is not None
    assert text_of(again.ephemeral).splitlines()[:2] == ["3 lines cannot be read:", "line 2: already counted"]


async def test_the_games_of_one_day_have_one_date(bot: RunningBot) -> None:
    await bot.dealt(ANNA, BORIS)
    await bot.stopped(ANNA, BORIS)
    bot.chat.moderators.add(ANNA.ref)
    file = file_of("date,fool,players\n1970-01-02,Boris,Anna\n")
    reply = await types(bot, ANNA, "/fool import", attachment=file)
    assert reply.ephemeral is not None
    assert text_of(reply.ephemeral).splitlines()[2] == "January 2, 1970"


@pytest.mark.parametrize(
    ("attachment", "told"),
    [
        (None, "Send /fool import together with a CSV file"),
        (file_of("\0"), "That file isn’t a table of games"),
        (file_of("", MAX_BYTES + 1), "That file’s too large."),
    ],
)
async def test_a_file_that_is_none_is_refused(
    bot: RunningBot, attachment: Attachment | None, told: str
) -> None:
    bot.chat.moderators.add(ANNA.ref)
    reply = await types(bot, ANNA, "/fool import", attachment=attachment)
    assert (reply.toast or "").startswith(told)


@pytest.mark.parametrize("sheet", ["Saturday we played\nBoris lost", "hello", "13.13.2025;Boris;Anna"])
async def test_a_file_that_cannot_be_read_is_answered_with_a_line_that_can(
    bot: RunningBot, sheet: str
) -> None:
    bot.chat.moderators.add(ANNA.ref)
    reply = await types(bot, ANNA, "/fool import", attachment=file_of(sheet))
    assert reply.ephemeral is not None
    shown = text_of(reply.ephemeral)
    assert shown.endswith("A line with date, fool and players works: 2026-11-12, Boris, Anna, Clara")
    assert sheet.partition("\n")[0].partition(";")[0] in shown


async def test_the_exported_leaderboard_counts_what_its_screen_counts(bot: RunningBot) -> None:
    preview = await imported(bot, "date,fool,players\n1970-01-02,Boris,Anna\n1970-01-03,Boris,Clara\n")
    await presses(bot, ANNA, preview.ref, "Count 2 games")
    shown = (await types(bot, ANNA, "/leaderboard")).public
    assert shown is not None
    assert "Boris" in text_of(shown)

    exported = (await types(bot, ANNA, "/leaderboard csv")).document
    assert exported is not None
    (boris,) = [line for line in exported.content.decode().splitlines() if ",Boris," in line]
    assert boris.split(",")[3:5] == ["2", "2"]

    await types(bot, ANNA, "/settings cards apart")
    apart = (await types(bot, ANNA, "/leaderboard csv")).document
    assert apart is not None
    assert ",Boris," not in apart.content.decode()


async def test_who_is_forgotten_loses_the_name_and_the_others_keep_their_games(bot: RunningBot) -> None:
    await presses(bot, BORIS, (await entered(bot)).ref, RIGHT)
    data = await data_of(await types(bot, BORIS, "/mydata"))
    assert [seat["is_fool"] for seat in data["games with real cards played"]] == [1]
    await types(bot, BORIS, "/forgetme yes")
    assert (await fools(bot))[0] == "🃏 a player · 1 of 1 game · 100% · 📇 1"


async def test_the_posted_game_forgets_who_is_forgotten(bot: RunningBot) -> None:
    message = await entered(bot)
    await bot.skip(60)
    await bot.restart()
    await types(bot, BORIS, "/forgetme yes")
    assert bot.chat.messages[message.ref].text.splitlines()[:2] == [
        "📇 With real cards: a player is the fool!",
        "Played: a player, Clara, Anna",
    ]


@pytest.mark.parametrize("author_or_player", [ANNA, BORIS])
async def test_the_posted_game_forgets_them_after_a_kill_too(bot: RunningBot, author_or_player: User) -> None:
    message = await entered(bot)
    await bot.skip(60)
    bot.chat.floods[ROOM] = 60.0
    await types(bot, author_or_player, "/forgetme yes")
    assert author_or_player.name in bot.chat.messages[message.ref].text

    await bot.restart()
    await bot.settle()
    assert author_or_player.name not in bot.chat.messages[message.ref].text


async def test_a_fool_who_is_forgotten_is_asked_nothing(bot: RunningBot) -> None:
    await entered(bot)
    await types(bot, BORIS, "/forgetme yes")
    before = len(bot.chat.sent)
    await bot.skip(60)
    assert [sent for sent in bot.chat.sent[before:] if sent.verb == "post"] == []


async def imported(bot: RunningBot, text: str) -> Message:
    """Imports a file of Anna's, an admin; Boris and Clara have sat here."""
    await bot.opened(BORIS, CLARA, ANNA)
    bot.chat.moderators.add(ANNA.ref)
    reply = await types(bot, ANNA, "/fool import", attachment=file_of(text))
    assert reply.ephemeral is not None, reply.toast
    shown = text_of(reply.ephemeral)
    return next(message for message in bot.chat.messages.values() if message.text == shown)


@pytest.mark.parametrize(("label", "first"), [("February 1, 1970", 32), ("January 2, 1970", 2)])
async def test_the_order_of_day_and_month_is_asked_where_it_is_not_certain(
    bot: RunningBot, label: str, first: int
) -> None:
    await bot.skip(365 * DAY)
    preview = await imported(bot, "1/2/1970,Boris,Anna\n3/2/1970,Clara,Boris\n")
    assert not any(button.label.startswith("Count") for button in preview.buttons)

    await presses(bot, ANNA, preview.ref, label)
    shown = bot.chat.messages[preview.ref]
    assert f"From {label} to " in shown.text

    await presses(bot, ANNA, preview.ref, "Count 2 games")
    keys = await bot.app.part(RealCards).store.keys(ROOM.server)
    assert min(at for at, *_ in keys) // DAY == first - 1


async def test_fools_of_a_file_are_told_once_it_counts_and_take_out_their_own(bot: RunningBot) -> None:
    preview = await imported(bot, "1970-01-02,Boris,Clara\n1970-01-03,Boris,Clara\n1970-01-01,Clara,Boris\n")
    await bot.skip(60)
    assert not any("📇" in text for text in bot.chat.rang_for(BORIS))

    await presses(bot, ANNA, preview.ref, "Count 3 games")
    await bot.skip(60)
    message = bot.chat.sees_alone(BORIS)[-1]
    assert "you’re the fool in 2 games" in message.text

    await presses(bot, BORIS, message.ref, WRONG)
    assert not any("Boris" in line and " 2 " in line for line in await fools(bot))
    assert len(await bot.app.part(RealCards).store.keys(ROOM.server)) == 1


async def test_a_file_on_its_way_takes_the_place_of_an_older_one_that_waits(bot: RunningBot) -> None:
    older = await imported(bot, "1970-01-01,Boris,Clara\n1970-01-02,Clara,Boris\n")
    newer = await imported(bot, "1970-01-02,Boris,Clara\n1970-01-03,Boris,Clara\n")
    assert older.ref != newer.ref
    await presses(bot, ANNA, older.ref, "Count")
    assert bot.chat.messages[older.ref].text == "That’s gone: it was taken back, or a newer file replaced it."
    assert await bot.app.part(RealCards).store.waiting(ROOM.server) <= 3


async def test_a_large_file_costs_a_member_who_presses_nothing_and_nobody_waits_long(bot: RunningBot) -> None:
    people = [person(f"Player {number}") for number in range(16)]
    games = [CardGame(float(number), people[number % 16], tuple(people)) for number in range(model.MAX_GAMES)]
    entering = asyncio.create_task(
        bot.app.part(RealCards).store.enter(ROOM, ANNA, games, bot.clock.now(), is_file=True)
    )
    longest = 0.0
    answered = 0

    while not entering.done():
        began = time.process_time()  # which pauses while other processes have the core
        await bot.app.part(RealCards).store.waiting(ROOM.server)
        longest = max(longest, time.process_time() - began)
        answered += 1

    number = await entering
    assert longest < 5.0, "pieces let others in between"
    assert answered > model.MAX_GAMES // GAMES_PER_BATCH // 2  # one answer for each piece or two

    entered = await bot.app.part(RealCards).store.entered(number)
    assert entered is not None
    assert (entered.games, len(entered.fools)) == (model.MAX_GAMES, 16)

    zone = ZoneInfo("UTC")
    delivery = await bot.chat.post(Everyone(ROOM), preview_screen(entered, (), zone, Translator("en")))
    assert isinstance(delivery, Delivered)

    with counted() as statements:
        reply = await presses(bot, BORIS, delivery.ref, "Count")

    assert reply.toast == "Only admins can do that."
    assert not any("card_seat" in statement for statement in statements.executed)


async def test_too_many_games_that_wait_keep_more_from_being_entered(
    bot: RunningBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model, "MAX_WAITING", 2)
    for user in (ANNA, BORIS):
        await types(bot, user, "/fool add", mentioned=(CLARA,))
    reply = await types(bot, DAN, "/fool add", mentioned=(CLARA,))
    assert "Too many games wait" in (reply.toast or "")


async def test_a_fool_who_was_seen_is_told_in_their_language_after_a_restart(bot: RunningBot) -> None:
    await types(bot, replace(BORIS, locale="ru"), "/fool")
    await entered(bot)
    await bot.restart()
    await bot.skip(60)
    (notice,) = bot.chat.sees_alone(BORIS)
    assert "Так и было?" in notice.text


async def test_a_question_follows_the_language_of_its_fool_and_the_game_keeps_that_of_its_room(
    bot: RunningBot,
) -> None:
    message = await entered(bot)
    await bot.skip(60)
    (notice,) = bot.chat.sees_alone(BORIS)
    for user in (ANNA, BORIS):
        await types(bot, user, "/language uk")

    assert "Так і було?" in bot.chat.messages[notice.ref].text
    await presses(bot, CLARA, message.ref, RIGHT)
    assert bot.chat.messages[message.ref].text.startswith(ENTERED)


async def test_a_fool_whose_language_is_not_known_is_told_in_that_of_who_says_so(bot: RunningBot) -> None:
    russian = replace(ANNA, locale="ru")
    await types(bot, russian, "/language ru")
    await types(bot, russian, "/fool add", mentioned=(BORIS, CLARA))
    message = newest(bot)
    await bot.skip(60)
    (notice,) = bot.chat.sees_alone(BORIS)
    assert notice.buttons[0].label == "Всё верно"

    await types(bot, BORIS, "/forgetme yes")
    assert "вживую" in bot.chat.messages[message.ref].text.casefold()
