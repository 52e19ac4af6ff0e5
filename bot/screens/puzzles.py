"""A puzzle: two hands, the table between them, and one move that wins."""

from collections.abc import Sequence
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
from bot.screens.story import attack_line, defence_line, own_attack_line, own_defence_line
from bot.screens.text import (
    NO_BREAK,
    Line,
    as_lines,
    as_paragraphs,
    card_text,
    cards_text,
    plain_text,
    rank_text,
)
from engine import Attack, Defend, Done, LayAway, Move, Puzzle, Rank, ShowTrump, State, Suit, Take, Transfer

PUZZLE = gettext_noop("🧩 Puzzle")
OF_THE_DAY = gettext_noop("🧩 Puzzle of the day")
TASK = gettext_noop("One move wins: which one?")
NO_PUZZLE = gettext_noop("No new puzzle yet: they come from endings that are played here.")
GONE = gettext_noop("That puzzle is gone.")

_GOES_ON = f"{NO_BREAK}…"  # after a line that is not shown whole


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


def verdict_text(
    puzzle: Puzzle,
    chosen: Move,
    translator: Translator,
    *,
    knew_answer: bool = False,
    room: int | None = None,
) -> str:
    """Renders the verdict on a move, and the winning line; it isn't solved again with `knew_answer`.

    The line is cut to its first moves where `room`, in characters, is short.
    """
    sentences = line_in_words(puzzle, translator)

    def verdict(length: int) -> str:
        ending = _GOES_ON if length < len(sentences) else ""
        line = " ".join(sentences[:length]) + ending

        if chosen != puzzle.answer:
            return translator.text(
                "❌ Not quite. {move} That lets the other player get out. This wins: {line}",
                move=_own_move(chosen, puzzle.state, translator),
                line=line,
            )

        if knew_answer:
            return translator.text("That was the answer, as you saw. {line}", line=line)

        return translator.text("✅ Right! {line}", line=line)

    length = len(sentences)
    while room is not None and length > 1 and len(verdict(length)) > room:
        length -= 1

    return verdict(length)


def line_in_words(puzzle: Puzzle, translator: Translator) -> Sequence[str]:
    """Lists the winning line, a sentence for each move: the solver's, and the answers to them."""
    state = puzzle.state
    sentences = list[str]()
    for seat, move in puzzle.line:
        render = _own_move if seat == puzzle.seat else _rivals_move
        sentences.append(render(move, state, translator))
        state = state.apply(seat, move).state

    goes_on = state.outcome() is None
    if goes_on:
        sentences[-1] += _GOES_ON

    return sentences


def _own_move(move: Move, state: State, translator: Translator) -> str:
    match move:
        case Attack(cards):
            return plain_text(own_attack_line(cards, translator, adds=bool(state.bout)))
        case Defend(card, attack):
            return plain_text(own_defence_line(attack, card, translator))
        case Transfer(cards):
            return translator.text("You transfer with {cards}.", cards=cards_text(cards, translator))
        case ShowTrump(card):
            return translator.text("You show {card} and transfer.", card=card_text(card, translator))
        case LayAway(rank):
            return translator.text("You discard {cards}.", cards=_four_of(rank, translator))
        case Take():
            return translator.text("You take.")
        case Done():
            return translator.text("You pass.")

    return f"{move_label(move, state.public_view(), translator)}."


def _rivals_move(move: Move, state: State, translator: Translator) -> str:
    name = translator.text("The other player")
    match move:
        case Attack(cards):
            return plain_text(attack_line(name, cards, translator, adds=bool(state.bout)))
        case Defend(card, attack):
            return plain_text(defence_line(name, attack, card, translator))
        case Transfer(cards):
            laid = cards_text(cards, translator)
            return translator.text("{name} transfers with {cards}.", name=name, cards=laid)
        case ShowTrump(card):
            shown = card_text(card, translator)
            return translator.text("{name} shows {card} and transfers to you.", name=name, card=shown)
        case LayAway(rank):
            return translator.text("{name} discards {cards}.", name=name, cards=_four_of(rank, translator))
        case Take():
            return translator.text("{name} takes.", name=name)
        case Done():
            return translator.text("{name} passes.", name=name)

    return f"{move_label(move, state.public_view(), translator)}."


def _four_of(rank: Rank, translator: Translator) -> str:
    return rank_text(rank, translator) * len(Suit)


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
