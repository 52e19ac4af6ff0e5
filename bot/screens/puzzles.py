"""A puzzle: two hands, the table between them, and one move that wins."""

from dataclasses import replace

from adapters.port import Limits, Mark, PuzzleBoard, Screen, Span, Tone
from bot.locale import Translator, gettext_noop
from bot.model.buttons import AnswerPuzzle, TypedCommand
from bot.model.results import PuzzleTally
from bot.screens.hand import MOVE_TONES, cards_used, move_label
from bot.screens.keyboard import button_to, rows_of
from bot.screens.open_hands import open_board, open_lines
from bot.screens.settings import setting_in_words
from bot.screens.standings import puzzles_text
from bot.screens.text import Line, as_lines, as_paragraphs, cards_text
from engine import Attack, Done, Move, Puzzle, Seat, State, Take

PUZZLE = gettext_noop("🧩 Puzzle")
OF_THE_DAY = gettext_noop("🧩 Puzzle of the day")
TASK = gettext_noop("One move wins: which one?")
NO_PUZZLE = gettext_noop("No new puzzle yet: they come from endings that are played here.")
GONE = gettext_noop("That puzzle is gone.")


def puzzle_screen(
    number: int, puzzle: Puzzle, limits: Limits, translator: Translator, *, is_of_the_day: bool = False
) -> Screen:
    """Shows a puzzle with its moves."""
    title = OF_THE_DAY if is_of_the_day else PUZZLE
    asks = translator.spans(TASK, mark=Mark.ITALIC)
    view = puzzle.state.public_view()
    moves = [
        button_to(
            AnswerPuzzle(number, str(move)),
            move_label(move, view, translator),
            MOVE_TONES.get(type(move), Tone.NEUTRAL),
        )
        for move in puzzle.moves
    ]
    body = as_paragraphs(_title(translator, title), _position(puzzle, translator), asks)
    task = translator.spans(_task(puzzle.state, puzzle.seat))
    text = as_lines(_title(translator, title), task, _rules(puzzle, translator), asks)
    board = puzzle_board(puzzle, text, number, translator)

    return Screen(body, rows=rows_of(moves, limits=limits), drawn=board)


def puzzle_board(puzzle: Puzzle, text: Line, number: int | None, translator: Translator) -> PuzzleBoard:
    """Returns the position of a puzzle, with its moves if it has a number, else with the answer."""
    if number is None:
        solved = open_board(puzzle.state, puzzle.seat, text, {}, translator)
        winning = cards_used(puzzle.answer, puzzle.state.view_for(puzzle.seat))
        return replace(solved, answer=tuple(map(str, winning)))

    tokens = {move: str(AnswerPuzzle(number, str(move))) for move in puzzle.moves}
    return open_board(puzzle.state, puzzle.seat, text, tokens, translator)


def _title(translator: Translator, title: str = PUZZLE) -> Line:
    return translator.spans(title, mark=Mark.BOLD)


def solution_screen(puzzle: Puzzle, verdict: str, tally: PuzzleTally, translator: Translator) -> Screen:
    """Shows a puzzle in private with the answer, and leads to the next one."""
    count = (Span(puzzles_text(tally, translator)),) if tally.solved else ()
    following = button_to(TypedCommand("puzzle"), translator.text("Another puzzle"), Tone.PRIMARY)
    answer = as_lines((Span(verdict, Mark.BOLD),), count)
    paragraphs = [_title(translator), _position(puzzle, translator), answer]
    board = puzzle_board(puzzle, as_lines(_title(translator), answer), None, translator)
    return Screen(as_paragraphs(*paragraphs), rows=((following,),), drawn=board)


def verdict_text(puzzle: Puzzle, chosen: Move, translator: Translator, *, knew_answer: bool = False) -> str:
    """Renders the verdict on a move, and the winning line; it isn't solved again with `knew_answer`."""
    line = line_in_words(puzzle, translator)
    if chosen != puzzle.answer:
        wrong = move_label(chosen, puzzle.state.public_view(), translator)
        return translator.text(
            "❌ Not quite: {move} lets the other player get out. This wins: {line}",
            move=wrong,
            line=line,
        )

    if knew_answer:
        return translator.text("That was the answer, as you saw. {line}", line=line)

    return translator.text("✅ Right! {line}", line=line)


def line_in_words(puzzle: Puzzle, translator: Translator) -> str:
    """Lists the winning line: the solver's moves and the answers to them."""
    state = puzzle.state
    words = ""
    for seat, move in puzzle.line:
        is_own = seat == puzzle.seat
        if words:
            words += "; " if is_own else ", "

        words += _render_move(move, seat, state, translator, is_own=is_own)
        state = state.apply(seat, move).state

    is_cut = state.outcome() is None
    return f"{words[:1].upper()}{words[1:]}{' …' if is_cut else '.'}"


def _render_move(move: Move, seat: Seat, state: State, translator: Translator, *, is_own: bool) -> str:
    """Names a move with its player."""
    match move:
        case Take():
            return translator.text("you take") if is_own else translator.text("they take")
        case Done():
            return translator.text("you pass") if is_own else translator.text("they pass")
        case Attack(thrown):
            cards = cards_text(thrown, translator)
        case _:
            cards = move_label(move, state.public_view(), translator)

    if is_own:
        return translator.text("you play {move}", move=cards)
    return translator.text("they play {move}", move=cards)


def _position(puzzle: Puzzle, translator: Translator) -> Line:
    task = translator.spans(_task(puzzle.state, puzzle.seat))
    rival = translator.text("Other player")
    lines = open_lines(puzzle.state, puzzle.seat, rival, translator)
    return as_lines(*lines, task, _rules(puzzle, translator))


def _rules(puzzle: Puzzle, translator: Translator) -> Line:
    """Names the rules that can decide it, where they are not the usual ones."""
    unusual = puzzle.unusual_settings.items()
    if not unusual:
        return ()
    settings = " · ".join(setting_in_words(name, value, translator) for name, value in unusual)
    return translator.spans("Rules here: {rules}", rules=settings)


def _task(state: State, seat: int) -> str:
    if seat == state.defender:
        return gettext_noop("You defend.")
    return gettext_noop("You attack.") if not state.bout else gettext_noop("You may throw in.")
