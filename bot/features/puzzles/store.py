"""Stores puzzles from endings that were really played, and the first answers to them."""

from collections.abc import Sequence

import structlog
from sqlmodel import Session, col, func, or_, select
from sqlmodel.sql.expression import SelectOfScalar

from adapters.port import User, UserRef
from bot.features.puzzles.model import KeptPuzzle, PuzzleTally
from bot.features.puzzles.rows import PuzzleAnswerRow, PuzzleRow
from bot.storage.database import Store, reads, writes
from bot.storage.models import PlayerRow
from bot.storage.numbers import id_of
from bot.storage.people import on_record
from engine import InvalidTextError, Puzzle, line_text, puzzle_of

log = structlog.get_logger()

NOT_PLAYED_HERE = 0.0  # the end of the games of puzzles that come with the program
_WAS_PLAYED_HERE = col(PuzzleRow.played_at) > NOT_PLAYED_HERE


class PuzzleStore(Store):
    """Stores all puzzles that were found, for all servers."""

    @writes
    def add(self, session: Session, puzzles: Sequence[Puzzle], played_at: float) -> None:
        """Adds the puzzles of a game, except those stored already."""
        for puzzle in puzzles:
            state = puzzle.state.to_text()
            if session.exec(select(PuzzleRow.id).where(PuzzleRow.state == state)).first() is None:
                session.add(PuzzleRow(state=state, line=line_text(puzzle), played_at=played_at))
                session.flush()

    @reads
    def newest_game(self, session: Session) -> float | None:
        """Returns the end of the newest game played here with a stored puzzle; None if there is none."""
        return session.exec(select(func.max(PuzzleRow.played_at)).where(_WAS_PLAYED_HERE)).one()

    @writes
    def of_day(self, session: Session, day: int, *, played_here: bool = False) -> KeptPuzzle | None:
        """Returns the puzzle of a day; if it has none, assigns one that nobody has seen yet.

        With `played_here`, assigns none of those that come with the program.
        """
        pair = _first_readable(session, select(PuzzleRow).where(PuzzleRow.day == day))
        if pair is not None:
            return _kept_puzzle(*pair)

        # A puzzle that can no longer be read gives up its day.
        for unreadable in session.exec(select(PuzzleRow).where(PuzzleRow.day == day)):
            unreadable.day = None

        session.flush()

        unseen = col(PuzzleRow.day).is_(None), col(PuzzleRow.handed_out).is_(False)
        query = _from(played_here).where(*unseen).order_by(col(PuzzleRow.id))
        pair = _first_readable(session, query)
        if pair is None:
            return None

        pair[0].day = day
        return _kept_puzzle(*pair)

    @writes
    def hand_out(
        self, session: Session, user: UserRef, today: int, *, played_here: bool = False
    ) -> KeptPuzzle | None:
        """Returns a puzzle that a person has not answered and that is not today's, and marks it handed out.

        Puzzles that others have seen come first, so that unseen ones are left for coming days. With
        `played_here`, leaves out those that come with the program.
        """
        theirs = PuzzleAnswerRow.player_id == id_of(session, PlayerRow, user)
        answers = select(PuzzleAnswerRow.puzzle_id).where(theirs)
        is_unseen = col(PuzzleRow.day).is_(None) & col(PuzzleRow.handed_out).is_(False)
        query = (
            _from(played_here)
            .where(col(PuzzleRow.id).not_in(answers))
            .where(or_(col(PuzzleRow.day).is_(None), col(PuzzleRow.day) < today))
            .order_by(is_unseen, col(PuzzleRow.played_at).desc(), col(PuzzleRow.id))
        )

        pair = _first_readable(session, query)
        if pair is None:
            return None

        pair[0].handed_out = True
        return _kept_puzzle(*pair)

    @reads
    def get(self, session: Session, number: int) -> KeptPuzzle | None:
        """Returns a puzzle by its number; None if it does not exist or cannot be read."""
        pair = _first_readable(session, select(PuzzleRow).where(PuzzleRow.id == number))
        return None if pair is None else _kept_puzzle(*pair)

    @writes
    def answer(self, session: Session, user: User, number: int, now: float, *, is_right: bool) -> bool | None:
        """Stores a person's first answer; if there is an earlier one, returns whether that was right."""
        person = on_record(session, user)
        earlier = session.get(PuzzleAnswerRow, (person.id, number))
        if earlier is not None:
            return earlier.is_right

        session.add(PuzzleAnswerRow(player_id=person.id, puzzle_id=number, at=now, is_right=is_right))
        return None

    @reads
    def tally(self, session: Session, user: UserRef) -> PuzzleTally:
        """Returns the number of puzzles that a person solved at the first try, and the current streak."""
        right = session.exec(
            select(PuzzleAnswerRow.is_right)
            .where(PuzzleAnswerRow.player_id == id_of(session, PlayerRow, user))
            .order_by(col(PuzzleAnswerRow.at).desc(), col(PuzzleAnswerRow.puzzle_id).desc())
        ).all()
        in_a_row = next((number for number, is_right in enumerate(right) if not is_right), len(right))
        return PuzzleTally(sum(right), in_a_row)


def _from(played_here: bool) -> SelectOfScalar[PuzzleRow]:
    """Selects all puzzles, or only those of games that were played here."""
    query = select(PuzzleRow)
    return query.where(_WAS_PLAYED_HERE) if played_here else query


def _first_readable(session: Session, query: SelectOfScalar[PuzzleRow]) -> tuple[PuzzleRow, Puzzle] | None:
    """Returns the first readable puzzle; other versions of the bot may have written unreadable ones."""
    for row in session.exec(query):
        try:
            return row, puzzle_of(row.state, row.line)
        except InvalidTextError:
            log.warning("puzzle_unreadable", puzzle=row.id)

    return None


def _kept_puzzle(row: PuzzleRow, puzzle: Puzzle) -> KeptPuzzle:
    return KeptPuzzle(row.id, puzzle, was_shown=row.day is not None or row.handed_out)
