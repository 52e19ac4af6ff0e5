"""`/learn`: four short games that teach Durak, in private and at your own pace."""

from adapters.port import Reply
from bot.features.learn import screens
from bot.features.learn.buttons import OpenLesson, PlayLesson
from bot.features.learn.lessons import LEARNER, LESSONS, course_of
from bot.handlers.event import CommandEvent, RoomPressEvent, Services, button, command
from bot.locale import gettext_noop
from bot.screens.directions import answer_elsewhere_screen


@command("learn", rank=60, summary=gettext_noop("learn to play in four short games"), secret=True)
async def learn(event: CommandEvent, services: Services) -> Reply:
    """Shows the asker the first lesson, in private; the course follows the rules of the room's table."""
    table = await services.tables.shown_in(event.room)
    course = len(LESSONS) if table is None else course_of(table.rules)
    return Reply(
        secret=screens.lesson_screen(0, 0, "", event.chat.limits, event.translator, course=course),
        invitation=answer_elsewhere_screen(event.user, event.room, event.translator),
    )


@button(OpenLesson)
async def open_lesson(event: RoomPressEvent, button: OpenLesson, _: Services) -> Reply:
    """Begins a lesson in place of the pressed message."""
    if not 0 <= button.lesson < button.course <= len(LESSONS):
        return event.toast(screens.GONE)

    lesson = screens.lesson_screen(
        button.lesson, 0, "", event.chat.limits, event.translator, course=button.course
    )
    return Reply(replacement=lesson)


@button(PlayLesson)
async def play_lesson(event: RoomPressEvent, button: PlayLesson, _: Services) -> Reply:
    """Plays the taught move, or explains why it is better than the one pressed.

    The button contains the place in the lesson, so nothing is stored and learners can continue at any time.
    """
    number = button.lesson
    turn = button.turn
    course = button.course
    if not (0 <= number < course <= len(LESSONS) and 0 <= turn < len(LESSONS[number].turns)):
        return event.toast(screens.GONE)

    lesson = LESSONS[number]
    taught = lesson.turns[turn]
    legal = {str(move) for move in lesson.position(turn).legal_moves(LEARNER)}
    if button.move not in legal:
        return event.toast(screens.GONE)

    limits = event.chat.limits
    translator = event.translator
    if button.move == taught.move:
        praise = translator.text(taught.praise)
        onwards = screens.lesson_screen(number, turn + 1, praise, limits, translator, course=course)
        return Reply(replacement=onwards)

    misses = button.misses + 1
    hint = screens.hint_text(number, turn, misses, translator)
    again = screens.lesson_screen(
        number, turn, hint, limits, translator, course=course, tried=button.move, misses=misses
    )
    return Reply(replacement=again)
