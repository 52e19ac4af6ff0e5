"""The screens of puzzles: two hands, the table between them, and one move that wins."""

from collections.abc import Sequence
from dataclasses import replace

from adapters.port import (
    Button,
    Limits,
    LinkButton,
    Mark,
    Offer,
    PuzzleBoard,
    Screen,
    ShareButton,
    Span,
    Tone,
)
from bot.features.puzzles.buttons import AnswerPuzzle
from bot.features.puzzles.model import PuzzleTally
from bot.locale import Translator, gettext_noop
from bot.model.buttons import TypedCommand
from bot.screens.board import board_move
from bot.screens.hand import MOVE_TONES, cards_used, move_label
from bot.screens.keyboard import button_to, rows_of
from bot.screens.open_hands import open_board, open_lines
from bot.screens.settings import setting_in_words
from bot.screens.text import Line, as_lines, as_paragraphs, card_text, cards_text
from engine import Attack, Card, Defend, Move, Puzzle, ShowTrump, State, Transfer

PUZZLE = gettext_noop("🧩 Puzzle")
OF_THE_DAY = gettext_noop("🧩 Puzzle of the day")
TASK = gettext_noop("One move wins: which one?")
CHALLENGE = gettext_noop("Beat my puzzle")
NO_PUZZLE = gettext_noop("No new puzzle yet: they come from endings that are played here.")
GONE = gettext_noop("That puzzle is gone.")

MIN_STREAK = 2  # the shortest streak of solved puzzles to mention


def puzzle_screen(
    number: int, puzzle: Puzzle, limits: Limits, translator: Translator, *, is_of_the_day: bool = False
) -> Screen:
    """Renders a puzzle with its moves as buttons."""
    title = OF_THE_DAY if is_of_the_day else PUZZLE
    question = translator.spans(TASK, mark=Mark.ITALIC)
    view = puzzle.state.public_view()
    moves = [
        button_to(
            AnswerPuzzle(number, str(move)),
            move_label(move, view, translator),
            MOVE_TONES.get(type(move), Tone.NEUTRAL),
        )
        for move in puzzle.moves
    ]
    body = as_paragraphs(_title(translator, title), _position(puzzle, translator), question)
    board = puzzle_board(number, puzzle, translator, title=title)

    return Screen(body, rows=rows_of(moves, limits=limits), facts=board)


def puzzle_board(number: int, puzzle: Puzzle, translator: Translator, *, title: str = PUZZLE) -> PuzzleBoard:
    """Returns the position of a puzzle, with its task and its moves, for chats that draw it."""
    task = translator.spans(_task(puzzle.state, puzzle.seat))
    headline = translator.spans(TASK, mark=Mark.BOLD)
    kind = (*translator.spans(title), Span(" · "), *task)
    text = as_lines(headline, kind, _rules(puzzle, translator))

    tokens = {move: str(AnswerPuzzle(number, str(move))) for move in puzzle.moves}
    position = open_board(puzzle.state, puzzle.seat, text, tokens, translator)
    return replace(position, number=number)


def solved_board(
    number: int, puzzle: Puzzle, move: Move, translator: Translator, verdict: Line | None = None
) -> PuzzleBoard:
    """Returns a puzzle with the verdict and the chosen move, and if that is wrong, with the winning one."""
    view = puzzle.state.view_for(puzzle.seat)
    text = _verdict(puzzle, move, translator) if verdict is None else verdict
    position = open_board(puzzle.state, puzzle.seat, text, {}, translator)
    winning = None if move == puzzle.answer else board_move(puzzle.answer, view, "", translator)
    played = board_move(move, view, "", translator)

    return replace(position, number=number, played=played, better=winning)


def solution_screen(
    number: int,
    puzzle: Puzzle,
    move: Move,
    tally: PuzzleTally,
    translator: Translator,
    *,
    knew_answer: bool = False,
    address: str = "",
) -> Screen:
    """Renders a puzzle with the verdict on a move, and buttons for the next one and to challenge others.

    `address` is that of the puzzle on the public page; empty if there is none.
    """
    is_right = move == puzzle.answer
    count = tally_line(tally, translator) if is_right else ()
    verdict = as_lines(_verdict(puzzle, move, translator, knew_answer=knew_answer), count)

    following = button_to(TypedCommand("puzzle"), translator.text("Another puzzle"), Tone.PRIMARY)
    label = translator.text("Challenge friends")
    challenge = ShareButton(f"📤 {label}", address, translator.text(TASK))
    rows: Sequence[Sequence[Button]] = ((following,), (challenge,)) if address else ((following,),)

    body = as_paragraphs(_title(translator), _position(puzzle, translator), verdict)
    board = solved_board(number, puzzle, move, translator, verdict)
    return Screen(body, rows=tuple(map(tuple, rows)), facts=board)


def challenge(puzzle: Puzzle, address: str, translator: Translator) -> Offer:
    """Returns a message by which somebody challenges others to solve the puzzle at this address."""
    title = translator.text(CHALLENGE)
    link = LinkButton(f"🧩 {title}", address)
    body = as_paragraphs(_title(translator), _position(puzzle, translator))
    return Offer(title, translator.text(TASK), Screen(body, ((link,),)))


def verdict_text(
    puzzle: Puzzle,
    move: Move,
    translator: Translator,
    *,
    knew_answer: bool = False,
    room: int | None = None,
) -> str:
    """Returns the verdict on a move, with the winning one; with `knew_answer`, a right move is not praised.

    If `room` (characters) is short, the last sentences are dropped.
    """
    headline = _headline(puzzle, move, translator, knew_answer=knew_answer)
    lines = [headline, *_reasons(puzzle, move, translator)]
    if room is not None:
        while len(lines) > 1 and len(" ".join(lines)) > room:
            lines.pop()

    return " ".join(lines)


def tally_line(tally: PuzzleTally, translator: Translator) -> Line:
    """Counts the puzzles that a person solved; empty if they solved none."""
    if not tally.solved:
        return ()

    solved = translator.count("🧩 {n} puzzle solved", "🧩 {n} puzzles solved", tally.solved)
    in_a_row = translator.text("now {n} in a row", n=tally.in_a_row)
    return (Span(solved if tally.in_a_row < MIN_STREAK else f"{solved}, {in_a_row}"),)


def _title(translator: Translator, title: str = PUZZLE) -> Line:
    return translator.spans(title, mark=Mark.BOLD)


def _headline(puzzle: Puzzle, move: Move, translator: Translator, *, knew_answer: bool) -> str:
    if move != puzzle.answer:
        return translator.text("❌ Not solved.")

    if knew_answer:
        return translator.text("That was the answer, as you saw.")

    return translator.text("✅ Right!")


def _verdict(puzzle: Puzzle, move: Move, translator: Translator, *, knew_answer: bool = False) -> Line:
    """Renders the verdict on a move: a headline, and below it the reasons."""
    headline = (Span(_headline(puzzle, move, translator, knew_answer=knew_answer), Mark.BOLD),)
    reasons = [(Span(reason),) for reason in _reasons(puzzle, move, translator)]
    return as_lines(headline, *reasons)


def _reasons(puzzle: Puzzle, move: Move, translator: Translator) -> Sequence[str]:
    """Returns the sentences of a verdict: where the chosen move leads, and a better one if there is one."""
    winning = _way_out(puzzle, translator)
    if move == puzzle.answer:
        return (translator.text("Your move: {line}", line=winning),)

    move_text = _in_short(move, puzzle.state, translator)
    losing = translator.text("{move}, and the other player gets out first.", move=move_text)
    return (
        translator.text("Your move: {line}", line=losing),
        translator.text("Better: {line}", line=winning),
    )


def _way_out(puzzle: Puzzle, translator: Translator) -> str:
    """Describes the winning move and how it wins, with the cards played on the way."""
    state = puzzle.state
    winning = _in_short(puzzle.answer, state, translator)
    cards = list[Card]()
    for number, (seat, move) in enumerate(puzzle.line):
        if number and seat == puzzle.seat:
            cards += cards_used(move, state.view_for(seat))
        state = state.apply(seat, move).state

    is_whole = state.outcome() is not None
    if not cards or not is_whole:
        return translator.text("{move}, and you are out first.", move=winning)

    cards_in_words = cards_text(cards, translator)
    return translator.text("{move}, then {cards}, and you are out first.", move=winning, cards=cards_in_words)


def _in_short(move: Move, state: State, translator: Translator) -> str:
    """Names a move by its cards, without the symbols of its button; other moves by their button."""
    match move:
        case Attack(cards):
            return cards_text(cards, translator)
        case Defend(card, attack):
            return _defence_in_short(card, attack, state, translator)
        case Transfer(cards):
            return translator.text("Transfer with {cards}", cards=cards_text(cards, translator))
        case ShowTrump(card):
            return translator.text("Show {card} and transfer", card=card_text(card, translator))

    return move_label(move, state.public_view(), translator)


def _defence_in_short(card: Card, attack: Card, state: State, translator: Translator) -> str:
    """Names a defence by its card; if several cards are unbeaten, also by the one it beats."""
    beating = card_text(card, translator)
    unbeaten = [pair for pair in state.bout if pair.beat is None]
    if len(unbeaten) == 1:
        return beating

    return translator.text("{card} on {attack}", card=beating, attack=card_text(attack, translator))


def _position(puzzle: Puzzle, translator: Translator) -> Line:
    task = translator.spans(_task(puzzle.state, puzzle.seat))
    rival = translator.text("Other player")
    lines = open_lines(puzzle.state, puzzle.seat, rival, translator)
    return as_lines(*lines, task, _rules(puzzle, translator))


def _rules(puzzle: Puzzle, translator: Translator) -> Line:
    """Lists the settings that can decide the puzzle and are unusual."""
    unusual = puzzle.unusual_settings.items()
    if not unusual:
        return ()
    settings = " · ".join(setting_in_words(name, value, translator) for name, value in unusual)
    return translator.spans("Rules here: {rules}", rules=settings)


def _task(state: State, seat: int) -> str:
    if seat == state.defender:
        return gettext_noop("You defend.")
    return gettext_noop("You attack.") if not state.bout else gettext_noop("You may throw in.")
