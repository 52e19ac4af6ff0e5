"""What people can send to any chat: tables, their last result, the puzzle of the day."""

import pytest

from adapters.port import COMMAND_SIGN, CallbackButton, LinkButton, Offer
from bot.features.puzzles.collection import collection
from bot.features.puzzles.part import Puzzles
from tests.bot.messages import text_of
from tests.bot.running_bot import ANNA, BORIS, PUZZLES, SHORT_GAME, RunningBot


async def offers(bot: RunningBot, text: str = "") -> list[Offer]:
    return list(await bot.app.inbox.offers(ANNA, text))


def command_of(offer: Offer) -> str:
    """Returns the command behind the only button of an offer."""
    ((button,),) = offer.screen.rows
    assert isinstance(button, CallbackButton)
    return button.token


async def test_a_table_is_offered_with_the_usual_rules_and_to_whom_knows_others_with_those(
    bot: RunningBot,
) -> None:
    assert [command_of(offer) for offer in await offers(bot)] == [
        f"{COMMAND_SIGN}durak",
        f"{COMMAND_SIGN}durak perevodnoy",
    ]
    first, *_ = await offers(bot, "durnius bots=expert")
    assert command_of(first) == f"{COMMAND_SIGN}durak durnius bots=expert"
    assert "Anna wants to play Durak" in text_of(first.screen)


@pytest.mark.parametrize("text", ["perevodnoj", "bots=strong", "20:30", "x" * 200])
async def test_words_that_name_no_rules_change_nothing(bot: RunningBot, text: str) -> None:
    assert await offers(bot, text) == await offers(bot)


async def test_the_last_result_is_offered_with_its_replay(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.plays_to_the_end(table)
    *_, result = await offers(bot)
    ((link,),) = result.screen.rows
    assert isinstance(link, LinkButton)
    assert bot.app.replays
    assert link.url.startswith(bot.app.replays)
    assert result.summary in text_of(result.screen)


async def test_the_puzzle_of_the_day_is_offered_once_there_is_one(bot: RunningBot) -> None:
    titles = [offer.title for offer in await offers(bot)]
    await bot.app.part(Puzzles).store.add(collection()[:1], 0.0)
    *others, puzzle = await offers(bot)
    assert [offer.title for offer in others] == titles
    ((link,),) = puzzle.screen.rows
    assert isinstance(link, LinkButton)
    assert link.url.startswith(PUZZLES)
