"""Results and games on the bot's own page: finished ones, and no others."""

from dataclasses import replace

import pytest

from adapters.port import Figure, GameRef, Guide, GuidePicture, Reply, ServerRef
from bot.locale import Translator
from bot.screens.review import replay_of
from bot.screens.text import plain_text
from bot.storage import RecordStore
from bot.tables.reviews import decisions_of
from engine import Regret, verify
from tests.bot.chat import CELLAR, ROOM, person
from tests.bot.running_bot import ANNA, BORIS, CLARA, SHORT_GAME, RunningBot

HERE = ROOM.server
EVERYTHING = set(GuidePicture)


@pytest.fixture
def records(bot: RunningBot) -> RecordStore:
    return RecordStore(bot.database)


async def test_a_finished_game_can_be_looked_at_with_every_hand(
    bot: RunningBot, records: RecordStore
) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    pages = bot.app.pages
    await bot.plays(table)
    assert await pages.replay(HERE, table.id, 1, "en", ANNA.ref) is None
    assert await pages.games(HERE) == []

    await bot.plays_to_the_end(table)

    (game,) = await pages.games(HERE)
    assert (game.table_id, game.game, game.names) == (table.id, 1, ("Anna", "Boris"))

    replay = await pages.replay(HERE, table.id, 1, "en", None)
    assert replay is not None
    assert replay.own is None

    of_boris = await pages.replay(HERE, table.id, 1, "en", BORIS.ref)
    assert of_boris is not None
    assert of_boris.own == 1
    assert replay is not None
    assert replay.summary == game

    finished = await records.finished(HERE, table.id, 1)
    assert finished is not None
    _, record = finished
    assert verify(record).holds
    assert len(replay.steps) == len(record.actions) + 1
    assert all(holds for holds, _ in replay.checks)

    for step in replay.steps:
        assert [len(hand) for hand in step.hands] == [seat.cards for seat in step.board.seats]
        assert not step.mark

    assert replay.steps[-1].board.is_over
    assert "the fool" in plain_text(replay.steps[-1].board.status)
    assert replay.steps[-1].board.losers == game.losers


@pytest.mark.parametrize(("name", "house"), [("Boris", "🤖 Ada"), ("Ada", "🤖 Boris")])
async def test_games_before_a_table_s_newest_two_keep_their_names(
    bot: RunningBot, name: str, house: str
) -> None:
    other = person(name)
    table = await bot.opened(ANNA, other, rules="podkidnoy-24")
    await bot.taps(ANNA, "Add bot")

    for game in range(3):
        if game:
            await bot.app.tables.rematch(table.id, ANNA)
            await bot.app.tables.change(table.id, lambda now: now.join(other))

        await bot.app.tables.start(table.id, ANNA.ref, event="start")
        await bot.app.tables.resign(table.id, ANNA)

    games = await bot.app.pages.games(HERE)
    assert [sorted(game.names) for game in games] == [sorted(["Anna", name, house])] * 3
    assert [game.names[seat] for game in games for seat in game.losers] == ["Anna"] * 3

    oldest = await bot.app.pages.replay(HERE, table.id, 1, "en", other.ref)
    assert oldest is not None
    assert oldest.own == oldest.summary.names.index(name)


async def test_a_game_that_was_stopped_can_be_looked_at_as_far_as_it_was_played(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.plays_to_the_end(table)
    other = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME, room=CELLAR)
    await bot.plays(other)

    for user in (ANNA, BORIS):
        assert await bot.app.pages.replay(HERE, other.id, 1, "en", ANNA.ref) is None
        await bot.chat.types(user, "/stop", CELLAR)

    await bot.settle()

    stopped, finished = await bot.app.pages.games(HERE)
    assert [(game.table_id, game.is_stopped) for game in (stopped, finished)] == [
        (other.id, True),
        (table.id, False),
    ]
    assert (stopped.names, stopped.losers) == (("Anna", "Boris"), ())

    replay = await bot.app.pages.replay(HERE, other.id, 1, "en", None)
    assert replay is not None
    assert replay.summary == stopped
    assert len(replay.steps) == 2
    assert all(holds for holds, _ in replay.checks)

    last = replay.steps[-1]
    assert [len(hand) for hand in last.hands] == [seat.cards for seat in last.board.seats]

    text = plain_text(last.board.status)
    assert text == "All players agreed to stop: the game has no result."


async def test_a_game_is_shown_on_its_own_server_alone(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.plays_to_the_end(table)
    elsewhere = ServerRef(HERE.platform, "elsewhere")
    assert await bot.app.pages.replay(elsewhere, table.id, 1, "en", None) is None
    assert await bot.app.pages.games(elsewhere) == []
    assert await bot.app.pages.replay(HERE, table.id, 2, "en", None) is None


async def test_the_end_of_a_game_is_shared_once_it_is_over(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    pages = bot.app.pages
    assert await pages.headline(HERE, table.id, 1, "en") is None
    assert await pages.end_picture(HERE, table.id, 1, "en") is None

    await bot.plays_to_the_end(table)
    (game,) = await pages.games(HERE)
    fools = [game.names[seat] for seat in game.losers]
    assert await pages.headline(HERE, table.id, 1, "de") == (
        f"🃏 {fools[0]} ist der Durak!" if fools else "🤝 Remis: niemand ist der Durak."
    )
    picture = await pages.end_picture(HERE, table.id, 1, "de")
    assert picture is not None
    assert picture.startswith(b"\x89PNG")

    elsewhere = ServerRef(HERE.platform, "elsewhere")
    for share in (pages.headline, pages.end_picture):
        assert await share(elsewhere, table.id, 1, "en") is None
        assert await share(HERE, table.id, 1, "en", secret="0" * 32) is None


async def test_everybody_is_ranked_by_the_results_on_record(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.plays_to_the_end(table)
    best = await bot.app.pages.ranking(HERE, "all", "en", fools_first=False)
    fools = await bot.app.pages.ranking(HERE, "nonsense", "en", fools_first=True)
    (game,) = await bot.app.pages.games(HERE)

    assert sorted(entry.name for entry in best) == ["Anna", "Boris"]
    assert sum(entry.fools for entry in best) == len(game.losers)
    assert {entry.unplaced for entry in best} == {"1 of 5 games"}
    assert [fool.fools for fool in fools] == sorted((entry.fools for entry in best), reverse=True)

    player = await bot.app.pages.statistics(HERE, best[0].user, "en")
    assert player is not None
    assert player.name == best[0].name
    assert player.figures[0] == Figure("1", "Game")
    assert "Place and rating after" in "".join(span.text for span in player.text)
    assert await bot.app.pages.statistics(ServerRef("web", "x"), ANNA.ref, "en") is None


async def test_only_what_is_not_empty_is_offered(bot: RunningBot) -> None:
    about_games = {GuidePicture.STATISTICS, GuidePicture.FOOLS}
    assert offers(await bot.chat.types(ANNA, "/help")) == EVERYTHING - about_games
    assert not await bot.app.pages.has_statistics(HERE, ANNA.ref)

    await bot.plays_to_the_end(await bot.dealt(ANNA, BORIS, rules=SHORT_GAME))
    assert offers(await bot.chat.types(ANNA, "/help")) == EVERYTHING
    assert offers(await bot.chat.types(CLARA, "/help")) == EVERYTHING - {GuidePicture.STATISTICS}
    assert await bot.app.pages.has_statistics(HERE, ANNA.ref)
    assert not await bot.app.pages.has_statistics(HERE, CLARA.ref)


def offers(reply: Reply) -> set[GuidePicture]:
    """Returns the cards to press in the drawn help."""
    assert reply.ephemeral is not None
    assert isinstance(reply.ephemeral.facts, Guide)
    return {way.picture for way in reply.ephemeral.facts.ways}


async def test_games_against_bots_alone_are_statistics_to_look_at(bot: RunningBot) -> None:
    table = await bot.waits_for_house_player()
    await bot.app.tables.resign(table.id, ANNA)
    await bot.settle()
    assert await bot.app.pages.has_statistics(HERE, ANNA.ref)


async def test_a_review_marks_the_moves_that_it_is_about(bot: RunningBot, records: RecordStore) -> None:
    table = await bot.dealt(ANNA, BORIS, rules="podkidnoy-24")
    await bot.plays_to_the_end(table)
    (summary,) = await bot.app.pages.games(HERE)
    played = await records.newest_of(ANNA.ref, near=ROOM)
    finished = await records.finished(HERE, table.id, 1)

    assert played is not None
    assert finished is not None
    _, record = finished

    decision = decisions_of(played.entries, played.seat)[-1]
    regret = Regret(decision, decision.moves[0], risk=0.75, least=0.5)
    over = await bot.app.tables.table(table.id)

    replay = replay_of(summary, over, record, [regret], Translator("en"))
    (place,) = [place for place, step in enumerate(replay.steps) if step.mark]
    assert record.actions[place] == (played.seat, decision.played)
    assert "75%" in "".join(span.text for span in replay.steps[place].mark)


async def test_a_review_opens_on_the_pages_of_a_chat_that_has_them(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    await bot.app.tables.resign(table.id, BORIS)
    await bot.settle()
    bot.chat.limits = replace(bot.chat.limits, boards=True)
    reply = await bot.chat.types(ANNA, "/review")
    assert reply == Reply(review=GameRef(table.id, 1))


async def test_rules_name_the_number_of_players_once_it_is_known(bot: RunningBot) -> None:
    pages = bot.app.pages
    await bot.opened(ANNA)
    assert "player" not in (await pages.rules(ROOM, "en")).title

    await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    assert (await pages.rules(ROOM, "en")).title.endswith(" · 2 players")
