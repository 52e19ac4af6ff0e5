"""`/learn`: four short games that teach Durak, in private and at your own pace."""

from adapters.port import Reply
from bot.features.learn import screens
from bot.features.learn.buttons import OpenLesson, PlayLesson
from bot.features.learn.lessons import LEARNER, LESSONS
from bot.handlers.event import CommandEvent, RoomPressEvent, Services, button, command
from bot.locale import gettext_noop
from bot.screens.directions import answer_elsewhere_screen


@command("learn", rank=60, summary=gettext_noop("learn to play in four short games"), secret=True)
async def learn(event: CommandEvent, _: Services) -> Reply:
    """Shows the asker the first lesson, in private."""
    return Reply(
        secret=screens.lesson_screen(0, 0, "", event.chat.limits, event.translator),
        invitation=answer_elsewhere_screen(event.user, event.room, event.translator),
    )


@button(OpenLesson)
async def open_lesson(event: RoomPressEvent, button: OpenLesson, _: Services) -> Reply:
    """Begins a lesson in place of the pressed message."""
    if not 0 <= button.lesson < len(LESSONS):
        return event.toast(screens.GONE)
    return Reply(replacement=screens.lesson_screen(button.lesson, 0, "", event.chat.limits, event.translator))


@button(PlayLesson)
async def play_lesson(event: RoomPressEvent, button: PlayLesson, _: Services) -> Reply:
    """Plays the taught move, or explains why it is better than the one pressed.

    The button contains the place in the lesson, so nothing is stored and learners can continue at any time.
    """
    number = button.lesson
    turn = button.turn
    if not (0 <= number < len(LESSONS) and 0 <= turn < len(LESSONS[number].turns)):
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
        return Reply(replacement=screens.lesson_screen(number, turn + 1, praise, limits, translator))

    misses = button.misses + 1
    hint = screens.hint_text(number, turn, misses, translator)
    again = screens.lesson_screen(number, turn, hint, limits, translator, tried=button.move, misses=misses)
    return Reply(replacement=again)
