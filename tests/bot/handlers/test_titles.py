"""Firsts and titles: announced in their game's result, and listed in /stats."""

from dataclasses import replace

import pytest
from sqlmodel import Session, col, select

from adapters.port import User
from bot.model.career import Career, Feats, GameResult, Title, titles_for
from bot.screens.titles import TITLE_NAMES
from bot.storage.models import ResultRow
from engine import PRESETS
from tests.bot.messages import text_of
from tests.bot.running_bot import ANNA, BORIS, CLARA, RunningBot

WON = Feats(GameResult.SAFE)
LOST = Feats(GameResult.FOOL)


def brought(*games: Feats) -> list[set[Title]]:
    """Returns the titles of each of these games."""
    earned = set[Title]()
    career = Career()
    each_time = []

    for game in games:
        career = career.after(game)
        new = set(titles_for(game, career, PRESETS)) - earned
        earned |= new
        each_time.append(new)

    return each_time


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
    assert not any(Title.TEN_WITHOUT in titles for titles in brought(*[WON] * 9, LOST, *[WON] * 9))


@pytest.mark.parametrize(
    ("game", "title"),
    [
        (replace(WON, is_quickest=True), Title.QUICKEST),
        (replace(LOST, epaulettes=2), Title.EPAULETTES),
        (replace(WON, experts_beaten=3), Title.THREE_EXPERTS),
        (replace(WON, escaped_from=14), Title.ESCAPED),
        (replace(LOST, epaulettes=1, is_up_to_the_ace=True), Title.LADDER),
    ],
)
def test_a_deed_brings_a_title(game: Feats, title: Title) -> None:
    assert title in brought(WON, game, game)[1]
    assert Title.THREE_EXPERTS not in brought(replace(WON, experts_beaten=2))[0]


def test_the_fool_by_all_rules_lost_by_each_preset() -> None:
    games = [replace(LOST, preset=preset) for preset in PRESETS]
    *before, last = brought(*games)
    assert Title.EVERY_PRESET in last
    assert not any(Title.EVERY_PRESET in titles for titles in before)


def test_every_title_has_a_name() -> None:
    assert set(TITLE_NAMES) == set(Title)


async def loses(bot: RunningBot, loser: User, other: User, rules: str = "") -> str:
    """Plays a game that this person loses; returns its result."""
    table = await bot.dealt(loser, other, rules=rules)
    await bot.app.tables.resign(table.id, loser)
    await bot.settle()
    await bot.skip(60)
    return next(message.text for message in reversed(bot.chat.room_sees()) if message.text.startswith("🃏"))


async def test_the_result_tells_what_happened_for_the_first_time_and_stats_lists_it(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await bot.chat.types(ANNA, "/settings titles on")
    result = await loses(bot, BORIS, CLARA)
    assert "🏅 Boris, Clara: first game · Boris: first time the fool" in result
    assert "🏅" not in await loses(bot, BORIS, CLARA)

    await bot.restart()
    assert "🏅 Boris: the fool three times in a row" in await loses(bot, BORIS, CLARA)

    shown = (await bot.chat.types(BORIS, "/stats")).ephemeral
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


async def test_a_result_records_the_most_cards_held_and_how_well_a_bot_really_played(bot: RunningBot) -> None:
    table = await bot.opened(ANNA, rules="podkidnoy-36 decks=2")
    await bot.app.tables.change(table.id, lambda now: now.add_house(ANNA.ref))
    await bot.chooses(table, strength="expert")
    await bot.app.tables.start(table.id, ANNA.ref, event="start")

    session = await bot.session(table)
    hands = [session.state.hands] if session.state else []
    await bot.app.tables.resign(table.id, ANNA)
    await bot.settle()

    def read(session: Session) -> list[tuple[str, int]]:
        rows = session.exec(select(ResultRow).order_by(col(ResultRow.seat)))
        return [(row.strength, row.most_held) for row in rows]

    rows = await bot.database.read(read)
    assert sorted(strength for strength, _ in rows) == ["", "regular"]
    assert [held for _, held in rows] == [len(hand) for hand in hands[0]]

    stats = (await bot.chat.types(ANNA, "/stats")).ephemeral
    assert stats is not None
    assert "🤖 The fool against bots: regulars 1 of 1" in text_of(stats)
