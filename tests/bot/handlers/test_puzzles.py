"""Puzzles: found in finished games, posted where a server wants it, answered for the presser alone."""

from functools import cache

from sqlmodel import Session, col, delete

from adapters.port import Delivered, Everyone, MessageRef
from bot.locale import Translator
from bot.model.buttons import AnswerPuzzle
from bot.screens.puzzles import puzzle_screen
from bot.storage import PuzzleStore
from bot.storage.models import EntryRow
from bot.storage.puzzles import KeptPuzzle
from engine import Puzzle, Record, puzzles_in
from tests.bot.chat import ROOM
from tests.bot.handlers.test_privacy import data_of
from tests.bot.messages import Message
from tests.bot.running_bot import ANNA, BORIS, CLARA, SHORT_GAME, RunningBot
from tests.engine.test_puzzles import SEEDS, played

DAY = 24 * 60 * 60.0
OF_THE_DAY = "🧩 Puzzle of the day"


@cache
def games() -> tuple[Record, ...]:
    return tuple(map(played, SEEDS))


@cache
def puzzle() -> Puzzle:
    return next(puzzles_in(games()[0]))


async def finished(bot: RunningBot, record: Record) -> None:
    """Let Anna and Boris have played this game."""
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.plays_to_the_end(table)
    lines = [(None, record.opening.to_text()), *((seat, str(action)) for seat, action in record.actions)]

    def write(session: Session) -> None:
        session.exec(delete(EntryRow).where(col(EntryRow.table_id) == table.id))
        for version, (seat, text) in enumerate(lines, start=1):
            entry = EntryRow(
                table_id=table.id, version=version, game=1, seat=seat, text=text, author=None, at=0.0
            )
            session.add(entry)

    await bot.database.write(write)


async def kept(bot: RunningBot) -> KeptPuzzle:
    """A puzzle that was found before."""
    store = PuzzleStore(bot.database)
    await store.add([puzzle()], 0.0)
    found = await store.of_day(0)
    assert found is not None
    return found


def posted(bot: RunningBot) -> list[Message]:
    return [message for message in bot.chat.room_sees() if message.text.startswith(OF_THE_DAY)]


async def in_room(bot: RunningBot, shown: KeptPuzzle) -> MessageRef:
    """A puzzle that everybody sees."""
    screen = puzzle_screen(shown.id, shown.puzzle, bot.chat.limits, Translator("en"))
    delivery = await bot.chat.post(Everyone(ROOM), screen)
    assert isinstance(delivery, Delivered)
    return delivery.ref


async def answers(bot: RunningBot, shown: KeptPuzzle, *, is_right: bool) -> str:
    """Clara presses a move under a puzzle in the room; what she alone is told."""
    chosen = next(move for move in puzzle().moves if (move == puzzle().answer) is is_right)
    ref = await in_room(bot, shown)
    reply = await bot.chat.presses_token(CLARA, ref, str(AnswerPuzzle(shown.id, str(chosen))))
    assert (reply.public, reply.replacement, reply.private) == (None, None, None)
    return reply.toast or ""


async def test_a_puzzle_is_found_in_a_game_that_was_played_and_names_no_one(bot: RunningBot) -> None:
    await finished(bot, games()[0])
    await bot.chat.types(CLARA, "/puzzle")
    (message,) = bot.chat.sees_alone(CLARA)
    assert message.text.startswith("🧩 Puzzle\n")
    assert not any(name in message.text for name in ("Anna", "Boris"))
    assert [button.token for button in message.buttons] == [
        str(AnswerPuzzle(1, str(move))) for move in puzzle().moves
    ]


async def test_without_finished_games_there_is_none(bot: RunningBot) -> None:
    assert (await bot.chat.types(CLARA, "/puzzle")).toast is not None
    assert not bot.chat.sees_alone(CLARA)


async def test_the_puzzle_of_the_day_is_posted_where_an_admin_wants_it_once_a_day(bot: RunningBot) -> None:
    store = PuzzleStore(bot.database)
    await store.add([each for record in games() for each in puzzles_in(record)], 0.0)
    bot.chat.moderators.add(ANNA.ref)
    await bot.chat.types(ANNA, "/settings puzzle on")
    await bot.settle()
    assert not posted(bot)
    await bot.skip(DAY)
    assert len(posted(bot)) == 1
    await bot.restart()
    await bot.settle()
    assert len(posted(bot)) == 1
    await bot.chat.types(ANNA, "/settings puzzle off")
    await bot.skip(DAY)
    assert len(posted(bot)) == 1


async def test_the_answer_is_told_to_the_presser_alone_with_the_line_that_wins(bot: RunningBot) -> None:
    await bot.opened(ANNA)
    found = await kept(bot)
    assert (await answers(bot, found, is_right=True)).startswith("✅ Right! ")
    wrong = await answers(bot, found, is_right=False)
    assert wrong.startswith("❌ ")
    assert " does not win. " in wrong


async def test_the_first_answer_counts_and_stats_tell_the_streak(bot: RunningBot) -> None:
    await bot.opened(ANNA)
    store = PuzzleStore(bot.database)
    await store.add([each for record in games() for each in puzzles_in(record)], 0.0)
    number = 1
    while (each := await store.get(number)) is not None and number < 4:
        ref = await in_room(bot, each)
        for move in (each.puzzle.answer, each.puzzle.moves[0]):
            await bot.chat.presses_token(CLARA, ref, str(AnswerPuzzle(number, str(move))))
        number += 1
    reply = await bot.chat.types(CLARA, "/stats")
    assert reply.personal is not None
    told = "".join(span.text for span in reply.personal.text)
    assert f"🧩 {number - 1} puzzles solved, now {number - 1} in a row" in told


async def test_in_private_the_answer_takes_the_place_of_the_puzzle_and_leads_to_another(
    bot: RunningBot,
) -> None:
    await kept(bot)
    await bot.chat.types(CLARA, "/puzzle")
    (message,) = bot.chat.sees_alone(CLARA)
    right = next(each for each in message.buttons if each.token.endswith(str(puzzle().answer)))
    await bot.chat.presses(CLARA, message.ref, right.label)
    shown = bot.chat.messages[message.ref]
    assert "✅ Right! " in shown.text
    assert "🧩 1 puzzle solved" in shown.text
    assert [button.label for button in shown.buttons] == ["Another puzzle"]


async def test_a_move_that_is_not_offered_is_no_answer(bot: RunningBot) -> None:
    await bot.opened(ANNA)
    found = await kept(bot)
    for token in (f"z:{found.id}:A 2S", f"z:{found.id + 7}:T", "z:1:nonsense"):
        assert (await bot.chat.presses_token(CLARA, bot.table_message().ref, token)).toast
    assert (await PuzzleStore(bot.database).tally(CLARA.ref)).solved == 0


async def test_who_is_forgotten_has_answered_nothing(bot: RunningBot) -> None:
    await bot.opened(ANNA)
    found = await kept(bot)
    await answers(bot, found, is_right=True)
    assert (await PuzzleStore(bot.database).tally(CLARA.ref)).solved == 1
    data = await data_of(await bot.chat.types(CLARA, "/mydata"))
    assert len(data["puzzles answered"]) == 1
    await bot.chat.types(CLARA, "/forgetme yes")
    assert (await PuzzleStore(bot.database).tally(CLARA.ref)).solved == 0
    assert await PuzzleStore(bot.database).unanswered(CLARA.ref) is not None
