"""Firsts and titles: told in the result in which they happen, and listed in /stats."""

import pytest

from adapters.port import User
from bot.model.results import Deed, Title, titles_of
from bot.screens.titles import NAMES
from engine import PRESETS
from tests.bot.messages import text_of
from tests.bot.running_bot import ANNA, BORIS, CLARA, RunningBot

WON, LOST = Deed(False), Deed(True)


def brought(*deeds: Deed) -> list[set[Title]]:
    """The titles that each of these games brings."""
    earned = titles_of(deeds, PRESETS)
    return [{title for title, at in earned.items() if at == number} for number in range(len(deeds))]


def test_a_title_is_earned_once() -> None:
    assert brought(WON, LOST, LOST, LOST, LOST, LOST, LOST) == [
        {Title.FIRST_GAME},
        {Title.FIRST_FOOL},
        set(),
        {Title.THREE_IN_A_ROW},
        set(),
        {Title.FIVE_IN_A_ROW},
        set(),
    ]
    assert brought(*[WON] * 9, LOST, *[WON] * 10)[-1] == {Title.TEN_WITHOUT}
    assert Title.TEN_WITHOUT not in titles_of([*[WON] * 9, LOST, *[WON] * 9], PRESETS)


@pytest.mark.parametrize(
    ("deed", "title"),
    [
        (Deed(False, is_quickest=True), Title.QUICKEST),
        (Deed(True, epaulettes=2), Title.EPAULETTES),
        (Deed(False, experts_beaten=3), Title.THREE_EXPERTS),
        (Deed(True, epaulettes=1, is_up_to_the_ace=True), Title.LADDER),
    ],
)
def test_a_deed_brings_a_title(deed: Deed, title: Title) -> None:
    assert title in brought(WON, deed, deed)[1]
    assert Title.THREE_EXPERTS not in titles_of([Deed(False, experts_beaten=2)], PRESETS)


def test_the_fool_by_all_rules_lost_by_each_preset() -> None:
    deeds = [Deed(True, preset=preset) for preset in PRESETS]
    assert Title.EVERY_PRESET not in titles_of(deeds[:-1], PRESETS)
    assert Title.EVERY_PRESET in brought(*deeds)[-1]


def test_every_title_has_a_name() -> None:
    assert set(NAMES) == set(Title)


async def loses(bot: RunningBot, loser: User, other: User, rules: str = "") -> str:
    """Play a game that this person loses; gives its result."""
    table = await bot.dealt(loser, other, rules=rules)
    await bot.app.tables.resign(table.id, loser)
    await bot.settle()
    await bot.skip(60)
    return next(each.text for each in reversed(bot.chat.room_sees()) if each.text.startswith("🃏"))


async def test_the_result_tells_what_happened_for_the_first_time_and_stats_lists_it(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await bot.chat.types(ANNA, "/settings titles on")
    result = await loses(bot, BORIS, CLARA)
    assert "🏅 Boris, Clara: first game · Boris: first time the fool" in result
    assert "🏅" not in await loses(bot, BORIS, CLARA)
    await bot.restart()
    assert "🏅 Boris: the fool three times in a row" in await loses(bot, BORIS, CLARA)
    shown = (await bot.chat.types(BORIS, "/stats")).personal
    assert shown is not None
    assert "🏅 Titles: first game, first time the fool, the fool three times in a row" in text_of(shown)


async def test_results_tell_nothing_of_it_unless_the_server_wants_it(bot: RunningBot) -> None:
    assert "🏅" not in await loses(bot, BORIS, CLARA)


async def test_the_fool_by_every_preset_is_found_in_the_records(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await bot.chat.types(ANNA, "/settings titles on")
    results = [await loses(bot, BORIS, CLARA, preset) for preset in PRESETS]
    assert "Boris: the fool by all rules" in results[-1]
    assert not any("by all rules" in result for result in results[:-1])
