"""The film of a game's end: for the room, once, on a press under its result, with a link to the game."""

from adapters.port import LinkButton, Replay, ServerRef
from bot.handlers.pages import first_secret
from bot.model.table import Table
from tests.bot.messages import Message
from tests.bot.running_bot import ANNA, BORIS, CLARA, REPLAYS, SHORT_GAME, RunningBot

LABEL = "🎞 How it ended"
WITHDRAW = "Withdraw the link"


async def finished(bot: RunningBot) -> tuple[Table, Message]:
    """Plays a game to its end; returns its result."""
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.plays_to_the_end(table)
    return table, result_of(bot)


def result_of(bot: RunningBot) -> Message:
    return next(
        message
        for message in reversed(bot.chat.room_sees())
        if any(button.label == LABEL for button in message.buttons)
    )


async def film_link(bot: RunningBot, result: Message) -> tuple[Message, str]:
    """Presses the film's button; returns its message, and the secret in its link."""
    await bot.chat.presses(CLARA, result.ref, LABEL)
    film = bot.chat.room_sees()[-1]
    (way,), _ = film.screen.rows
    assert isinstance(way, LinkButton)
    return film, way.url[-32:]


async def test_anybody_may_show_the_room_how_a_game_ended(bot: RunningBot) -> None:
    _, result = await finished(bot)
    reply = await bot.chat.presses(CLARA, result.ref, LABEL)
    assert reply.public is not None
    assert reply.document is not None
    assert (reply.document.is_animation, reply.document.content[:6]) == (True, b"GIF89a")
    assert bot.chat.room_sees()[-1].text == result.text.splitlines()[0]


async def test_a_film_is_shown_once(bot: RunningBot) -> None:
    _, result = await finished(bot)
    await bot.chat.presses(CLARA, result.ref, LABEL)
    again = await bot.chat.presses(ANNA, result.ref, LABEL)
    assert (again.public, again.toast) == (None, "That film is above, in this chat.")


async def test_a_film_can_be_asked_for_after_a_restart_and_a_rematch(bot: RunningBot) -> None:
    _, result = await finished(bot)
    await bot.chat.presses(ANNA, result.ref, "Rematch")
    await bot.restart()
    assert (await bot.chat.presses(BORIS, result.ref, LABEL)).document is not None


async def test_after_a_failure_another_press_tries_again(bot: RunningBot) -> None:
    _, result = await finished(bot)
    async with bot.without_disk("result"):
        assert (await bot.chat.presses(ANNA, result.ref, LABEL)).public is None
    assert (await bot.chat.presses(ANNA, result.ref, LABEL)).document is not None


async def shown(bot: RunningBot, table: Table, game: int, secret: str) -> Replay | None:
    """Opens a link to a game, as a stranger does on the page."""
    page = ServerRef("page", "here")
    return await bot.app.pages.replay(page, table.id, game, "en", None, secret=secret)


async def test_who_has_the_link_under_a_film_sees_that_game_and_no_other(bot: RunningBot) -> None:
    table, result = await finished(bot)
    reply = await bot.chat.presses(CLARA, result.ref, LABEL)
    assert reply.public is not None
    (way,), _ = reply.public.rows
    assert isinstance(way, LinkButton)
    assert way.url.startswith(f"{REPLAYS}{table.id}-1-")

    secret = way.url[-32:]
    replay = await shown(bot, table, 1, secret)
    assert replay is not None
    assert (replay.summary.names, replay.own) == (("Anna", "Boris"), None)
    assert await shown(bot, table, 1, secret[::-1]) is None

    for user, label in ((ANNA, "Rematch"), (BORIS, "Join"), (ANNA, "Start")):
        shows = result if label == "Rematch" else bot.table_message()
        await bot.chat.presses(user, shows.ref, label)
        await bot.settle()

    opening = (await bot.session(table)).opening
    assert opening is not None
    assert await shown(bot, table, 2, first_secret(opening)) is None, "it goes on"

    await bot.restart()
    await bot.app.tables.resign(table.id, BORIS)
    assert await shown(bot, table, 2, secret) is None
    assert await shown(bot, table, 2, first_secret(opening)) is not None
    await bot.chat.types(ANNA, "/forgetme yes")

    replay = await shown(bot, table, 1, secret)
    assert replay is not None
    assert "Anna" not in str(replay)
    assert "Boris" in str(replay)


async def test_who_played_withdraws_the_link_and_a_later_one_differs(bot: RunningBot) -> None:
    table, result = await finished(bot)
    film, first = await film_link(bot, result)

    refused = await bot.chat.presses(CLARA, film.ref, WITHDRAW)
    assert refused.toast == "Only who played that game can withdraw its link."
    assert await shown(bot, table, 1, first) is not None

    told = await bot.chat.presses(BORIS, film.ref, WITHDRAW)
    assert told.toast is not None
    assert told.toast.startswith("That link leads nowhere any more.")
    assert await shown(bot, table, 1, first) is None

    _, second = await film_link(bot, result)
    assert second != first

    await bot.restart()
    assert await shown(bot, table, 1, first) is None
    assert await shown(bot, table, 1, second) is not None

    film, again = await film_link(bot, result)
    assert again == second, "a link holds until it is withdrawn"

    await bot.chat.presses(ANNA, film.ref, WITHDRAW)
    assert await shown(bot, table, 1, second) is None


async def test_the_link_of_one_game_is_withdrawn_alone(bot: RunningBot) -> None:
    table, result = await finished(bot)
    _, first = await film_link(bot, result)
    for user, label in ((ANNA, "Rematch"), (BORIS, "Join"), (ANNA, "Start")):
        shows = result if label == "Rematch" else bot.table_message()
        await bot.chat.presses(user, shows.ref, label)
        await bot.settle()

    await bot.app.tables.resign(table.id, BORIS)
    await bot.settle()
    later = next(message for message in reversed(bot.chat.room_sees()) if "is the fool" in message.text)
    film, second = await film_link(bot, later)
    await bot.chat.presses(BORIS, film.ref, WITHDRAW)

    assert await shown(bot, table, 2, second) is None
    assert await shown(bot, table, 1, first) is not None
