"""The screens of a lesson: a short game with open hands, and a sentence before and after each move."""

from adapters.port import Limits, Mark, Screen, Span, Tone
from bot.features.learn.buttons import OpenLesson, PlayLesson
from bot.features.learn.lessons import LEARNER, LESSONS, TEACHER_NAME
from bot.locale import Translator, gettext_noop
from bot.model.buttons import TypedCommand
from bot.screens.hand import MOVE_TONES, move_label
from bot.screens.keyboard import Rows, button_to, rows_of
from bot.screens.open_hands import open_board, open_lines
from bot.screens.text import Line, as_lines, as_paragraphs
from engine import Move

PRESS_THIS = gettext_noop("Not that one either. Press “{button}”.")
GONE = gettext_noop("That lesson has changed: /learn begins anew.")


def lesson_screen(
    number: int,
    turn: int,
    comment: str,
    limits: Limits,
    translator: Translator,
    *,
    course: int = len(LESSONS),
    tried: str = "",
    misses: int = 0,
) -> Screen:
    """Renders a lesson before a turn.

    Args:
        number: The index of the lesson.
        turn: The index of the turn; the number of turns for the end.
        comment: A sentence about the learner's last move, translated; empty at the beginning.
        limits: The limits of the message.
        translator: The translator for the learner's language.
        course: The number of lessons, which may leave out the last ones.
        tried: A wrong move that was just tried, and is not offered again.
        misses: The number of wrong moves tried at this turn.
    """
    lesson = LESSONS[number]
    state = lesson.position(turn)
    is_over = turn == len(lesson.turns)
    legal = () if is_over else state.legal_moves(LEARNER)
    moves = [move for move in legal if str(move) != tried]
    plays = {move: PlayLesson(number, turn, str(move), course=course, misses=misses) for move in moves}
    tokens = {move: str(play) for move, play in plays.items()}

    title = _title(number, course, translator)
    comment_line = (Span(comment, Mark.BOLD),) if comment else ()
    task = () if is_over else translator.spans(lesson.turns[turn].task)
    text = as_paragraphs(comment_line, task)
    view = state.public_view()
    buttons = [
        button_to(
            play,
            move_label(move, view, translator),
            MOVE_TONES.get(type(move), Tone.NEUTRAL),
        )
        for move, play in plays.items()
    ]
    rows = rows_of(buttons, limits=limits) if buttons else _ways_on(number, course, translator)
    body = as_paragraphs(title, as_lines(*open_lines(state, LEARNER, TEACHER_NAME, translator)), text)
    board = open_board(state, LEARNER, as_lines(title, text), tokens, translator, rival=TEACHER_NAME)

    return Screen(body, rows=rows, facts=board)


def hint_text(number: int, turn: int, misses: int, translator: Translator) -> str:
    """Explains why the taught move is better than the one tried.

    From the second miss on, says instead which button to press.
    """
    lesson = LESSONS[number]
    taught = lesson.turns[turn]
    if misses < 2:
        return translator.text(taught.otherwise)

    view = lesson.position(turn).public_view()
    return translator.text(PRESS_THIS, button=move_label(Move.parse(taught.move), view, translator))


def _title(number: int, course: int, translator: Translator) -> Line:
    name = translator.text(LESSONS[number].title)
    of_all = translator.text(
        "🎓 {number} of {count} · {lesson}", number=number + 1, count=course, lesson=name
    )
    return (Span(of_all, Mark.BOLD),)


def _ways_on(number: int, course: int, translator: Translator) -> Rows:
    """Returns the buttons below a finished lesson; after the course, its room's game and what is left out."""
    following = number + 1
    if following < course:
        next_lesson = button_to(OpenLesson(following, course), translator.text("Next lesson"), Tone.PRIMARY)
        return ((next_lesson,),)

    play = button_to(TypedCommand("durak bots"), translator.text("🤖 Play against bots"), Tone.PRIMARY)
    if following == len(LESSONS):
        return ((play,),)

    further = button_to(OpenLesson(following), translator.text(LESSONS[following].title))
    return (play,), (further,)
