"""Puzzles: found in finished games, posted where a server allows it, answered for the presser alone."""

from dataclasses import replace
from functools import cache

import pytest
from sqlmodel import Session, col, delete

from adapters.port import Delivered, Everyone, MessageRef, PuzzleBoard, Screen, ShareButton
from bot.features.puzzles.buttons import AnswerPuzzle
from bot.features.puzzles.collection import collection
from bot.features.puzzles.model import KeptPuzzle, PuzzleTally
from bot.features.puzzles.rows import PuzzleRow
from bot.features.puzzles.screens import puzzle_board, puzzle_screen, solution_screen, verdict_text
from bot.features.puzzles.store import PuzzleStore
from bot.locale import LOCALES, Translator
from bot.model.buttons import decode
from bot.screens.board import board_move
from bot.storage.models import EntryRow
from engine import Move, Puzzle, Record, Take, line_text, puzzle_of, puzzles_in
from tests.bot.chat import LIMITS, ROOM
from tests.bot.handlers.test_privacy import data_of
from tests.bot.messages import Message, text_of
from tests.bot.running_bot import ANNA, BORIS, CLARA, PUZZLES, SHORT_GAME, RunningBot
from tests.bot.screens.evening import PUZZLE
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
    """Records this game as played by Anna and Boris."""
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
    """Stores a puzzle, as found earlier."""
    store = PuzzleStore(bot.database)
    await store.add([puzzle()], 0.0)
    found = await store.of_day(0)
    assert found is not None
    return found


def posted(bot: RunningBot) -> list[Message]:
    return [message for message in bot.chat.room_sees() if message.text.startswith(OF_THE_DAY)]


def offered(message: Message) -> list[str]:
    """Lists the moves that a message offers, in text form."""
    buttons = (decode(button.token) for button in message.buttons)
    return [button.move for button in buttons if isinstance(button, AnswerPuzzle)]


async def in_room(bot: RunningBot, shown: KeptPuzzle) -> MessageRef:
    """Posts a puzzle in the room."""
    screen = puzzle_screen(shown.id, shown.puzzle, bot.chat.limits, Translator("en"))
    delivery = await bot.chat.post(Everyone(ROOM), screen)
    assert isinstance(delivery, Delivered)
    return delivery.ref


async def answers(bot: RunningBot, shown: KeptPuzzle, *, is_right: bool) -> str:
    """Presses a move under a puzzle for Clara; returns the answer that only she sees."""
    chosen = next(move for move in puzzle().moves if (move == puzzle().answer) is is_right)
    ref = await in_room(bot, shown)
    reply = await bot.chat.presses_token(CLARA, ref, str(AnswerPuzzle(shown.id, str(chosen))))
    assert (reply.public, reply.replacement, reply.secret) == (None, None, None)
    return reply.toast or ""


@pytest.mark.slow
async def test_a_puzzle_is_found_in_a_game_that_was_played_and_names_no_one(bot: RunningBot) -> None:
    await finished(bot, games()[0])
    await bot.chat.types(CLARA, "/puzzle")
    (message,) = bot.chat.sees_alone(CLARA)
    assert message.text.startswith("🧩 Puzzle\n")
    assert not any(name in message.text for name in ("Anna", "Boris"))
    assert offered(message) == list(map(str, puzzle().moves))


@pytest.mark.slow
async def test_a_game_that_cannot_be_searched_delays_the_next_one_by_one_search(bot: RunningBot) -> None:
    sound = games()[0]
    for actions in (
        sound.actions[:2],
        ((1, Take()),),
        sound.actions,
    ):  # nothing in it; illegal; with a puzzle
        await finished(bot, replace(sound, actions=actions))
        await bot.skip(60)

    await bot.chat.types(CLARA, "/puzzle")
    await bot.chat.types(CLARA, "/puzzle")
    from_collection, from_game = bot.chat.sees_alone(CLARA)
    assert offered(from_collection) == list(map(str, collection()[0].moves))
    assert offered(from_game) == list(map(str, puzzle().moves))


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


async def test_the_answer_is_told_to_the_presser_alone_with_the_move_that_wins(bot: RunningBot) -> None:
    await bot.opened(ANNA)
    found = await kept(bot)
    assert (await answers(bot, found, is_right=True)).startswith("✅ Right! ")
    wrong = await answers(bot, found, is_right=False)
    assert wrong.startswith("❌ Not solved. Your move: ")
    assert " Better: " in wrong


async def test_nobody_is_right_who_was_shown_the_answer_before(bot: RunningBot) -> None:
    await bot.opened(ANNA)
    found = await kept(bot)
    await answers(bot, found, is_right=False)
    again = await answers(bot, found, is_right=True)
    assert again.startswith("That was the answer, as you saw. Your move: ")
    assert (await PuzzleStore(bot.database).tally(CLARA.ref)).solved == 0


async def test_a_puzzle_that_was_never_shown_is_not_answered_by_its_number(bot: RunningBot) -> None:
    await bot.opened(ANNA)
    store = PuzzleStore(bot.database)
    await store.add([puzzle()], 0.0)
    hidden = KeptPuzzle(1, puzzle(), was_shown=False)
    assert await answers(bot, hidden, is_right=True) == "That puzzle is gone."
    assert (await store.tally(CLARA.ref)).solved == 0


async def test_one_puzzle_that_cannot_be_read_ends_none_of_the_others(bot: RunningBot) -> None:
    store = PuzzleStore(bot.database)
    await store.add([puzzle()], 0.0)

    def write(session: Session) -> None:
        for number, (state, line) in enumerate(
            [("nonsense", "0 T"), ("more nonsense", ""), (puzzle().state.to_text() + " ", "7 T")]
        ):
            session.add(PuzzleRow(id=10 + number, state=state, line=line, played_at=1.0, day=number or None))

    await bot.database.write(write)
    await bot.chat.types(CLARA, "/puzzle")
    (message,) = bot.chat.sees_alone(CLARA)
    assert message.text.startswith("🧩 Puzzle\n")
    assert await store.get(10) is None

    await store.add([next(puzzles_in(games()[1]))], 0.0)
    today = await store.of_day(1)
    assert today is not None


async def test_the_puzzle_of_the_day_was_nobodys_private_one(bot: RunningBot) -> None:
    store = PuzzleStore(bot.database)
    both = [next(puzzles_in(record)) for record in games()[:2]]
    await store.add(both, 0.0)
    own = await store.hand_out(ANNA.ref, today=5)
    assert own is not None
    assert await store.hand_out(BORIS.ref, today=5) == own, "what somebody has seen comes first"

    of_day = await store.of_day(5)
    assert of_day is not None
    assert of_day.id != own.id
    assert await store.of_day(6) is None

    await store.answer(ANNA, own.id, 0.0, is_right=True)
    assert await store.hand_out(ANNA.ref, today=5) is None, "that of today is for everybody at once"
    assert await store.hand_out(ANNA.ref, today=6) is not None


def test_a_puzzle_names_the_rules_that_decide_it_and_are_not_the_usual_ones() -> None:
    usual = puzzle().state.to_text()
    changed = "rules podkidnoy-36 opening_cards=equal_rank hand_size=5"
    other = puzzle_of(usual.replace("rules podkidnoy-36", changed), line_text(puzzle()))
    (told,) = (line for line in text_of(shown(other)).splitlines() if line.startswith("Rules here: "))
    assert told == "Rules here: Attack with: one or more of a rank"
    assert "Rules here" not in text_of(shown(puzzle()))


def shown(of: Puzzle) -> Screen:
    return puzzle_screen(1, of, LIMITS, Translator("en"))


async def test_the_first_answer_counts_and_stats_tell_the_streak(bot: RunningBot) -> None:
    await bot.opened(ANNA)
    store = PuzzleStore(bot.database)
    await store.add([each for record in games() for each in puzzles_in(record)], 0.0)

    for day in range(3):
        await store.of_day(day)

    number = 1
    while (each := await store.get(number)) is not None and number < 4:
        ref = await in_room(bot, each)
        for move in (each.puzzle.answer, each.puzzle.moves[0]):
            await bot.chat.presses_token(CLARA, ref, str(AnswerPuzzle(number, str(move))))
        number += 1

    reply = await bot.chat.types(CLARA, "/stats")
    assert reply.ephemeral is not None
    text = "".join(span.text for span in reply.ephemeral.text)
    assert f"🧩 {number - 1} puzzles solved, now {number - 1} in a row" in text


async def test_in_private_the_answer_takes_the_place_of_the_puzzle_and_leads_to_another(
    bot: RunningBot,
) -> None:
    await kept(bot)
    await bot.chat.types(CLARA, "/puzzle")
    (message,) = bot.chat.sees_alone(CLARA)
    right = next(button for button in message.buttons if button.token.endswith(str(puzzle().answer)))
    await bot.chat.presses(CLARA, message.ref, right.label)

    shown = bot.chat.messages[message.ref]
    assert "\n✅ Right!\n" in shown.text
    assert "🧩 1 puzzle solved" in shown.text
    assert [button.label for button in shown.buttons] == ["Another puzzle"]
    assert shown.screen.rows[-1] == (
        ShareButton("📤 Challenge friends", f"{PUZZLES}1", "One move wins: which one?"),
    )


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
    assert await PuzzleStore(bot.database).hand_out(CLARA.ref, today=9) is not None


def test_a_puzzle_is_a_position_that_a_chat_can_draw_with_a_token_for_each_move() -> None:
    found = puzzle()
    drawn = puzzle_screen(7, found, LIMITS, Translator("en")).facts
    assert isinstance(drawn, PuzzleBoard)

    hand = found.state.view_for(found.seat).hand
    assert set(drawn.cards) == {str(card) for card in hand}
    assert [move.token for move in drawn.moves] == [str(AnswerPuzzle(7, str(move))) for move in found.moves]
    assert len(drawn.bout) == len(found.state.bout)
    assert not set(drawn.cards) & set(drawn.other)
    assert not drawn.played


def test_a_right_answer_is_marked_alone() -> None:
    found = puzzle()
    drawn = answered(found, found.answer)

    assert drawn.played is not None
    assert drawn.better is None
    assert set(drawn.played.cards) <= set(drawn.cards)
    assert all(card in str(found.answer) for card in drawn.played.cards)


def test_a_wrong_answer_is_marked_beside_the_move_that_wins() -> None:
    found = puzzle_of(*PUZZLE)
    wrong = next(move for move in found.moves if move != found.answer)
    drawn = answered(found, wrong)

    assert drawn.played == board_move(wrong, found.state.view_for(found.seat), "", Translator("en"))
    assert drawn.better == board_move(found.answer, found.state.view_for(found.seat), "", Translator("en"))


def answered(found: Puzzle, move: Move) -> PuzzleBoard:
    drawn = solution_screen(1, found, move, PuzzleTally(1, 1), Translator("en")).facts
    assert isinstance(drawn, PuzzleBoard)
    return drawn


def test_a_missed_puzzle_has_a_headline_and_short_sentences_below_it() -> None:
    found = puzzle_of(*PUZZLE)
    wrong = next(move for move in found.moves if move != found.answer)
    screen = solution_screen(1, found, wrong, PuzzleTally(5, 3), Translator("en"))
    headline, *reasons = text_of(screen).split("\n\n")[-1].splitlines()

    assert headline == "❌ Not solved."
    assert reasons == [
        "Your move: A♣, and the other player gets out first.",
        "Better: Q♣, then A♦ A♣, and you are out first.",
    ]


@pytest.mark.parametrize("locale", LOCALES)
def test_a_verdict_is_cut_to_its_room_after_a_sentence(locale: str) -> None:
    translator = Translator(locale)
    found = puzzle_of(*PUZZLE)
    for move in found.moves:
        whole = verdict_text(found, move, translator)
        assert not set(whole) & set("+←↪…")

        cut = verdict_text(found, move, translator, room=len(whole) - 1)
        assert whole.startswith(cut)
        assert cut.endswith((".", "!"))


async def test_a_puzzle_that_was_shown_is_solved_on_the_page_and_counts_for_nobody(bot: RunningBot) -> None:
    found = await kept(bot)
    asked = await bot.app.pages.puzzle(found.id, "en")
    assert asked == puzzle_board(found.id, found.puzzle, Translator("en"))
    assert asked is not None

    tokens = [move.token for move in asked.moves]
    verdicts = [await bot.app.pages.puzzle(found.id, "en", token) for token in tokens]
    assert [verdict and verdict.better is None for verdict in verdicts] == [
        move == found.puzzle.answer for move in found.puzzle.moves
    ]
    assert await bot.app.pages.puzzle(found.id, "en", "z:1:nonsense") == asked
    picture = await bot.app.pages.puzzle_picture(ROOM.server, found.id)
    assert picture is not None
    assert picture.startswith(b"\x89PNG")


async def test_the_page_has_no_puzzle_that_nobody_was_shown(bot: RunningBot) -> None:
    await PuzzleStore(bot.database).add([puzzle()], 1.0)
    assert await bot.app.pages.puzzle(1, "en") is None
    assert await bot.app.pages.puzzle_picture(ROOM.server, 1) is None
