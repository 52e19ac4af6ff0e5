"""If the owner chooses, the moves of old games are deleted; everything else about them is kept."""

import pytest
from sqlmodel import col, select

from adapters.port import MovesForgottenError
from bot.features.puzzles.collection import collection
from bot.features.puzzles.part import Puzzles
from bot.model.table import Phase
from bot.process import old_moves
from bot.process.old_moves import MAX_SIZE, MIN_SIZE, forget, next_size
from bot.screens.refusals import MOVES_FORGOTTEN
from bot.storage import OldMoveStore
from bot.storage.models import EntryRow, ResultRow
from tests.bot.databases import rows
from tests.bot.handlers.test_film import LABEL, finished
from tests.bot.messages import text_of
from tests.bot.running_bot import ANNA, BORIS, CLARA, SHORT_GAME, RunningBot

DAYS = 24 * 60 * 60.0
FORGOTTEN = MOVES_FORGOTTEN.replace("'", "’")


async def forget_moves(bot: RunningBot, days: int = 30) -> int:
    """Drops the moves of games that ended before so many days."""
    return await forget(OldMoveStore(bot.database), bot.clock.now() - days * DAYS, pause=0.0)


async def games_with_moves(bot: RunningBot) -> set[tuple[int, int]]:
    entries = await rows(bot.database, select(EntryRow))
    return {(entry.table_id, entry.game) for entry in entries}


async def test_a_game_without_moves_has_a_sentence_for_whoever_asks(bot: RunningBot) -> None:
    _, result = await finished(bot)
    bot.clock.skip(31 * DAYS)
    assert await forget_moves(bot)

    await bot.restart()

    film = await bot.chat.presses(CLARA, result.ref, LABEL)
    verification = await bot.chat.types(CLARA, "/verify")
    review = await bot.chat.types(ANNA, "/review")
    assert [film.toast, verification.toast, review.toast] == [FORGOTTEN] * 3


async def test_the_page_lists_such_a_game_and_refuses_its_replay(bot: RunningBot) -> None:
    table, _ = await finished(bot)
    server = table.room.server
    assert await bot.app.pages.replay(server, table.id, table.game, "en", ANNA.ref) is not None
    bot.clock.skip(31 * DAYS)
    await forget_moves(bot)
    await bot.restart()

    (game,) = await bot.app.pages.games(server)
    assert (game.table_id, game.game) == (table.id, table.game)

    with pytest.raises(MovesForgottenError):
        await bot.app.pages.replay(server, table.id, table.game, "en", ANNA.ref)


async def test_results_and_statistics_stay_and_a_rematch_is_dealt(bot: RunningBot) -> None:
    table, result = await finished(bot)
    before = (await bot.chat.types(ANNA, "/stats")).ephemeral
    bot.clock.skip(31 * DAYS)
    await forget_moves(bot)
    await bot.restart()

    after = (await bot.chat.types(ANNA, "/stats")).ephemeral
    assert before is not None
    assert after is not None
    assert text_of(after) == text_of(before)

    await bot.chat.presses(ANNA, result.ref, "Rematch")
    gathered = await bot.app.tables.in_room(table.room)
    assert gathered is not None
    await bot.chat.presses(BORIS, result.ref, "Rematch")

    started = await bot.app.tables.start(gathered.id, ANNA.ref)
    assert started.phase is Phase.PLAYING


async def test_the_messages_of_a_game_without_moves_stay_when_its_table_is_read_again(
    bot: RunningBot,
) -> None:
    table, _ = await finished(bot)
    bot.clock.skip(31 * DAYS)
    await forget_moves(bot)
    before = dict(bot.chat.messages)
    await bot.restart()

    bot.app.table_events.changed(table.id)
    await bot.settle()
    assert bot.chat.messages == before


async def test_games_that_go_on_or_are_young_keep_their_moves(bot: RunningBot) -> None:
    old, _ = await finished(bot)
    bot.clock.skip(31 * DAYS)
    young, _ = await finished(bot)
    running = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await forget_moves(bot)
    assert await games_with_moves(bot) == {(young.id, young.game), (running.id, running.game)}

    bot.clock.skip(31 * DAYS)
    await forget_moves(bot)
    assert await games_with_moves(bot) == {(running.id, running.game)}

    results = await rows(bot.database, select(ResultRow).where(col(ResultRow.seat) == 0))
    assert {result.table_id for result in results} == {old.id, young.id}


async def test_long_games_go_in_pieces(bot: RunningBot, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MIN_SIZE", "FIRST_SIZE", "MAX_SIZE"):
        monkeypatch.setattr(old_moves, name, 3)

    await finished(bot)
    lines = len(await rows(bot.database, select(EntryRow)))
    bot.clock.skip(31 * DAYS)

    moves = OldMoveStore(bot.database)
    table_id = await moves.next_table(0)
    assert table_id is not None
    assert await moves.forget_some(table_id, bot.clock.now(), 3) == 3
    assert await forget_moves(bot) == lines - 3
    assert await moves.next_table(0) is None


@pytest.mark.parametrize(
    ("took", "size"),
    [(0.0, 200), (0.01, 200), (0.02, 100), (0.025, 80), (0.05, 50), (9.0, 50)],
)
def test_a_piece_that_took_long_is_followed_by_a_smaller_one(took: float, size: int) -> None:
    assert next_size(100, took) == size


def test_pieces_are_never_too_small_to_get_on_nor_too_large_to_wait_for() -> None:
    assert next_size(MIN_SIZE, 9.0) == MIN_SIZE
    assert next_size(MAX_SIZE, 0.0) == MAX_SIZE


async def test_puzzles_are_searched_beyond_games_without_moves(bot: RunningBot) -> None:
    table, _ = await finished(bot)
    ended = (await bot.session(table)).changed_at
    bot.clock.skip(29 * DAYS)
    await forget_moves(bot, days=1)
    assert await bot.app.records.finished_since(0.0, 9) == [(ended, None)]
    kept_puzzle = await bot.app.part(Puzzles).of_today()
    assert kept_puzzle is not None
    assert kept_puzzle.puzzle in collection()  # not of a game that was played here
