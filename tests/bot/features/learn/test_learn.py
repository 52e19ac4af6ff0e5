"""Four short games teach Durak: every move gets an answer, in private and at the learner's own pace."""

import pytest

from bot.features.learn.buttons import OpenLesson, PlayLesson
from bot.features.learn.lessons import LEARNER, LESSONS, TEACHER, Lesson
from bot.features.learn.screens import hint_text, lesson_screen
from bot.locale import LOCALES, Translator
from bot.model.buttons import decode
from tests.bot.chat import LIMITS, own_room
from tests.bot.messages import Message, buttons_of, text_of
from tests.bot.running_bot import ANNA, BORIS, CLARA, RunningBot


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.title)
def test_the_move_that_is_taught_is_legal_and_every_other_one_is_explained(lesson: Lesson) -> None:
    for number, turn in enumerate(lesson.turns):
        position = lesson.position(number)
        legal = {str(move) for move in position.legal_moves(LEARNER)}
        assert turn.move in legal
        assert not position.legal_moves(TEACHER), "the teacher's answer is missing"
        assert bool(turn.otherwise) == (len(legal) > 1)


def test_the_last_two_lessons_end_with_a_fool() -> None:
    for lesson in LESSONS[2:]:
        outcome = lesson.position(len(lesson.turns)).outcome()
        assert outcome is not None
        assert outcome.fool == TEACHER


@pytest.mark.parametrize("locale", LOCALES)
def test_every_screen_of_every_lesson_fits_in_every_language(locale: str) -> None:
    translator = Translator(locale)
    for number, lesson in enumerate(LESSONS):
        for turn in range(len(lesson.turns) + 1):
            screen = lesson_screen(number, turn, "", LIMITS, translator)
            assert len(text_of(screen)) < 700
            assert buttons_of(screen), "there is always a way on"


def says(message: Message, sentence: str) -> bool:
    return Translator("en").text(sentence) in message.text


def lesson_of(bot: RunningBot) -> Message:
    return bot.chat.sees_alone(ANNA)[-1]


async def test_somebody_who_never_played_goes_through_all_lessons(bot: RunningBot) -> None:
    await bot.chat.types(ANNA, "/learn", own_room(ANNA))
    for number, lesson in enumerate(LESSONS):
        for turn in lesson.turns:
            assert says(lesson_of(bot), turn.task)
            token = str(PlayLesson(number, lesson.turns.index(turn), turn.move))
            await bot.chat.presses_token(ANNA, lesson_of(bot).ref, token)
            assert says(lesson_of(bot), turn.praise)

        if number + 1 < len(LESSONS):
            await bot.chat.presses(ANNA, lesson_of(bot).ref, "Next lesson")

    assert [button.label for button in lesson_of(bot).buttons] == ["🤖 Play against bots"]


@pytest.mark.parametrize(("preset", "course"), [("podkidnoy-36", 3), ("perevodnoy", 4)])
async def test_the_course_teaches_what_the_table_plays(bot: RunningBot, preset: str, course: int) -> None:
    await bot.opened(ANNA, BORIS, rules=preset)
    await bot.chat.types(CLARA, "/learn")
    for number, lesson in enumerate(LESSONS[:course]):
        assert f"{number + 1} of {course}" in bot.chat.sees_alone(CLARA)[-1].text
        for turn in range(len(lesson.turns)):
            token = str(PlayLesson(number, turn, lesson.turns[turn].move, course=course))
            await bot.chat.presses_token(CLARA, bot.chat.sees_alone(CLARA)[-1].ref, token)

        if number + 1 < course:
            await bot.chat.presses(CLARA, bot.chat.sees_alone(CLARA)[-1].ref, "Next lesson")

    offered = [button.label for button in bot.chat.sees_alone(CLARA)[-1].buttons]
    assert offered == ["🤖 Play against bots", *(lesson.title for lesson in LESSONS[course:])]

    for number, lesson in enumerate(LESSONS[course:], course):  # they can be opened all the same
        await bot.chat.presses(CLARA, bot.chat.sees_alone(CLARA)[-1].ref, lesson.title)
        assert f"{number + 1} of {len(LESSONS)}" in bot.chat.sees_alone(CLARA)[-1].text


async def test_a_wrong_move_is_explained_and_changes_nothing(bot: RunningBot) -> None:
    await bot.chat.types(ANNA, "/learn", own_room(ANNA))
    before = lesson_of(bot)
    await bot.chat.presses(ANNA, before.ref, "Take")
    assert says(lesson_of(bot), LESSONS[0].turns[0].otherwise)
    offered = [button.label for button in before.buttons if button.label != "Take"]
    assert [
        button.label for button in lesson_of(bot).buttons
    ] == offered  # so that a second wrong press changes something, too


async def test_a_second_miss_names_the_button_to_press(bot: RunningBot) -> None:
    await bot.chat.types(ANNA, "/learn", own_room(ANNA))
    await bot.chat.presses(ANNA, lesson_of(bot).ref, "9♠")

    hints = list[str]()
    for wrong in ("Q♣", "8♣", "Q♣"):
        await bot.chat.presses(ANNA, lesson_of(bot).ref, wrong)
        hints.append(lesson_of(bot).text.splitlines()[-3])

    assert hints[0] == Translator("en").text(LESSONS[0].turns[1].otherwise)
    assert hints[1:] == ["Not that one either. Press “6♥”."] * 2

    await bot.chat.presses(ANNA, lesson_of(bot).ref, "6♥")
    assert says(lesson_of(bot), LESSONS[0].turns[1].praise)


@pytest.mark.parametrize("lesson", range(len(LESSONS)))
def test_the_button_that_a_hint_names_is_there(lesson: int) -> None:
    translator = Translator("en")
    for number in range(len(LESSONS[lesson].turns)):
        named = hint_text(lesson, number, 2, translator)
        labels = [
            button.label for button in buttons_of(lesson_screen(lesson, number, "", LIMITS, translator))
        ]
        assert any(f"“{label}”" in named for label in labels)


async def test_a_lesson_goes_on_after_a_restart(bot: RunningBot) -> None:
    await bot.chat.types(ANNA, "/learn", own_room(ANNA))
    await bot.chat.presses(ANNA, lesson_of(bot).ref, "9♠")
    await bot.restart()
    await bot.chat.presses(ANNA, lesson_of(bot).ref, "6♥")
    assert says(lesson_of(bot), LESSONS[0].turns[1].praise)


@pytest.mark.parametrize("token", ["a:9", "y:0:9:T", "y:0:0:A 6H", "y:9:0:T", "a:3/3", "a:0/9"])
async def test_a_forged_button_of_a_lesson_changes_nothing(bot: RunningBot, token: str) -> None:
    assert isinstance(decode(token), OpenLesson | PlayLesson)
    await bot.chat.types(ANNA, "/learn", own_room(ANNA))
    before = lesson_of(bot)
    reply = await bot.chat.presses_token(ANNA, before.ref, token)
    assert reply.toast is not None
    assert lesson_of(bot) == before


async def test_a_lesson_asked_for_in_a_group_is_shown_to_the_asker_alone(bot: RunningBot) -> None:
    before = len(bot.chat.room_sees())
    await bot.chat.types(BORIS, "/learn")
    assert len(bot.chat.room_sees()) == before
    assert says(bot.chat.sees_alone(BORIS)[-1], LESSONS[0].turns[0].task)
