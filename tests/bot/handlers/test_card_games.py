"""Games with real cards: who enters them, who confirms them, what they change, and how they go again."""

import pytest

from adapters.port import Attachment, MessageRef, RoomRef, ServerRef
from bot.model.card_games import DAY, MOST_BYTES
from bot.screens.refusals import NOT_SHOWN
from bot.storage import StandingsStore
from bot.storage.card_games import KEPT_UNCONFIRMED
from tests.bot.chat import PLATFORM, ROOM
from tests.bot.handlers.test_privacy import data_of
from tests.bot.messages import Message, text_of
from tests.bot.running_bot import ANNA, BORIS, CLARA, SHORT_GAME, RunningBot

OTHER_CLUB = RoomRef(ServerRef(PLATFORM, "other-club"), "parlour")
RIGHT, BACK = "That’s right", "Take back"
ENTERED = "📇 With real cards: Boris is the fool!"
GAMES = "date,fool,players\n1970-01-02,Boris,Anna\n1970-01-03,Boris,Clara\n1970-01-04,Nobody,Clara\n"


def file_of(text: str, size: int | None = None) -> Attachment:
    async def fetch() -> bytes:
        return text.encode()

    return Attachment("games.csv", len(text) if size is None else size, fetch)


def newest(bot: RunningBot) -> Message:
    return bot.chat.room_sees()[-1]


async def entered(bot: RunningBot) -> Message:
    """Anna says that Boris was the fool; Clara played, too."""
    await bot.chat.types(ANNA, "/fool add", mentioned=(BORIS, CLARA))
    return newest(bot)


async def fools(bot: RunningBot) -> list[str]:
    """What /fool tells of everybody."""
    reply = await bot.chat.types(ANNA, "/fool")
    assert reply.public is not None
    return text_of(reply.public).splitlines()[2:]


async def test_a_game_counts_once_another_player_confirms_it(bot: RunningBot) -> None:
    message = await entered(bot)
    assert message.text.splitlines() == [
        ENTERED,
        "Played: Boris, Clara, Anna",
        "It counts once another player confirms it.",
    ]
    assert not any("Boris" in line for line in await fools(bot))
    assert (await bot.chat.presses(CLARA, message.ref, RIGHT)).toast is None
    assert await fools(bot) == [
        "🃏 Boris · 1 of 1 game · 100% · 📇 1",
        "2. Clara · 0 of 1 game · 0% · 📇 1",
        "2. Anna · 0 of 1 game · 0% · 📇 1",
    ]
    shown = bot.chat.messages[message.ref]
    assert [button.label for button in shown.buttons] == [BACK]
    assert "confirms" not in shown.text


async def test_neither_who_entered_it_nor_who_did_not_play_confirms_it(bot: RunningBot) -> None:
    await bot.chat.types(ANNA, "/fool add", mentioned=(BORIS,))
    message = newest(bot)
    for user in (ANNA, CLARA):
        toast = (await bot.chat.presses(user, message.ref, RIGHT)).toast
        assert toast == "One of the other players has to confirm it."
    assert not any("Boris" in line for line in await fools(bot))


async def test_a_game_confirmed_twice_counts_once_also_after_a_restart(bot: RunningBot) -> None:
    message = await entered(bot)
    token = message.buttons[0].token
    await bot.restart()
    for user in (BORIS, CLARA, BORIS):
        await bot.chat.presses_token(user, message.ref, token)
    assert (await fools(bot))[0] == "🃏 Boris · 1 of 1 game · 100% · 📇 1"


async def test_who_entered_it_takes_it_back_within_a_day_and_admins_later(bot: RunningBot) -> None:
    message = await entered(bot)
    await bot.chat.presses(CLARA, message.ref, RIGHT)
    assert "for a day" in ((await bot.chat.presses(CLARA, message.ref, BACK)).toast or "")
    await bot.skip(DAY)
    assert "for a day" in ((await bot.chat.presses(ANNA, message.ref, BACK)).toast or "")
    bot.chat.moderators.add(CLARA.ref)
    await bot.chat.presses(CLARA, message.ref, BACK)
    assert bot.chat.messages[message.ref].text == f"{ENTERED}\nTaken back."
    assert not any("Boris" in line for line in await fools(bot))
    again = await entered(bot)
    await bot.chat.presses(ANNA, again.ref, BACK)
    token = again.buttons[0].token
    assert (await bot.chat.presses_token(BORIS, again.ref, token)).toast == NOT_SHOWN


async def test_a_game_that_nobody_confirms_is_forgotten(bot: RunningBot) -> None:
    first = await entered(bot)
    await bot.skip(KEPT_UNCONFIRMED + 1)
    await entered(bot)
    assert (await bot.chat.presses(BORIS, first.ref, RIGHT)).toast == "That was taken back."


async def test_people_are_named_by_what_they_are_called_here(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.plays_to_the_end(table)
    await bot.chat.types(CLARA, "/fool add @boris anna")
    assert newest(bot).text.splitlines()[:2] == [ENTERED, "Played: Boris, Anna, Clara"]


@pytest.mark.parametrize(
    ("typed", "told"), [("", "Mention the fool first"), (" @dan", "I don’t know who “@dan”")]
)
async def test_a_game_without_people_is_none(bot: RunningBot, typed: str, told: str) -> None:
    reply = await bot.chat.types(ANNA, f"/fool add{typed}")
    assert (reply.toast or "").startswith(told)
    assert reply.public is None


async def test_real_cards_change_no_rating_and_are_counted_apart_if_a_server_wants(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.plays_to_the_end(table)
    ratings = StandingsStore(bot.database).ratings
    before = await ratings(ROOM.server)
    alone = await fools(bot)
    await bot.chat.presses(CLARA, (await entered(bot)).ref, RIGHT)
    assert await ratings(ROOM.server) == before
    assert any(" of 2 games" in line for line in await fools(bot))
    await bot.chat.types(ANNA, "/settings cards apart")
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
    await bot.chat.types(BORIS, "/help", OTHER_CLUB)
    reply = await bot.chat.presses_token(BORIS, MessageRef(PLATFORM, "?"), token, seen_in=OTHER_CLUB)
    assert reply.toast == NOT_SHOWN
    assert not any("Boris" in line for line in await fools(bot))


async def test_a_file_is_shown_to_an_admin_and_counted_at_a_press(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, CLARA, rules="throw_in=none deck=24 hand_size=8")
    await bot.stopped(ANNA, BORIS, CLARA)
    assert table.game == 1
    assert (await bot.chat.types(ANNA, "/fool import", attachment=file_of(GAMES))).toast is not None
    bot.chat.moderators.add(ANNA.ref)
    reply = await bot.chat.types(ANNA, "/fool import", attachment=file_of(GAMES))
    assert reply.personal is not None
    assert text_of(reply.personal).splitlines() == [
        "📇 With real cards: 2 games",
        "The fool: Boris 2",
        "",
        "1 line cannot be read:",
        "line 4: nobody here is called “Nobody”",
    ]
    assert not any("Boris" in line for line in await fools(bot))
    await bot.restart()
    preview = next(
        message for message in bot.chat.messages.values() if message.text == text_of(reply.personal)
    )
    await bot.chat.presses(ANNA, preview.ref, "Count 2 games")
    assert (await fools(bot))[0] == "🃏 Boris · 2 of 2 games · 100% · 📇 2"
    again = await bot.chat.types(ANNA, "/fool import", attachment=file_of(GAMES))
    assert again.personal is not None
    assert text_of(again.personal).splitlines()[:2] == ["3 lines cannot be read:", "line 2: already counted"]


@pytest.mark.parametrize(
    ("attachment", "told"),
    [
        (None, "Send /fool import together with a CSV file"),
        (file_of("hello"), "That file isn’t a table of games"),
        (file_of("", MOST_BYTES + 1), "That file’s too large."),
    ],
)
async def test_a_file_that_is_none_is_refused(
    bot: RunningBot, attachment: Attachment | None, told: str
) -> None:
    bot.chat.moderators.add(ANNA.ref)
    reply = await bot.chat.types(ANNA, "/fool import", attachment=attachment)
    assert (reply.toast or "").startswith(told)


async def test_who_is_forgotten_loses_the_name_and_the_others_keep_their_games(bot: RunningBot) -> None:
    await bot.chat.presses(CLARA, (await entered(bot)).ref, RIGHT)
    data = await data_of(await bot.chat.types(BORIS, "/mydata"))
    assert [seat["is_fool"] for seat in data["games with real cards played"]] == [1]
    await bot.chat.types(BORIS, "/forgetme yes")
    assert (await fools(bot))[0] == "🃏 a player · 1 of 1 game · 100% · 📇 1"
