"""Puzzles from endings that were really played, and who answered which."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session, col, func, select

from adapters.port import User, UserRef
from bot.model.results import PuzzleTally
from bot.storage.database import Store, reads, writes
from bot.storage.models import PlayerRow, PuzzleAnswerRow, PuzzleRow
from bot.storage.people import id_of, on_record
from engine import Puzzle, line_text, puzzle_of


@dataclass(frozen=True, slots=True)
class KeptPuzzle:
    """A puzzle and its number."""

    id: int
    puzzle: Puzzle


class PuzzleStore(Store):
    """All puzzles that were found, the same for everybody."""

    @writes
    def add(self, session: Session, puzzles: Sequence[Puzzle], played_at: float) -> None:
        """Keep puzzles of a game, except those that are known."""
        for each in puzzles:
            state = each.state.to_text()
            if session.exec(select(PuzzleRow.id).where(PuzzleRow.state == state)).first() is None:
                session.add(PuzzleRow(state=state, line=line_text(each), played_at=played_at))
                session.flush()

    @reads
    def newest_game(self, session: Session) -> float | None:
        """Return when the newest game was over in which a puzzle was found."""
        return session.exec(select(func.max(PuzzleRow.played_at))).one()

    @writes
    def of_day(self, session: Session, day: int) -> KeptPuzzle | None:
        """Return the puzzle of a day, by its number: the one it has, or else one that no day has yet."""
        row = session.exec(select(PuzzleRow).where(PuzzleRow.day == day)).first()
        if row is None:
            free = select(PuzzleRow).where(col(PuzzleRow.day).is_(None)).order_by(col(PuzzleRow.id))
            row = session.exec(free.limit(1)).first()
        if row is not None:
            row.day = day
        return _kept(row)

    @reads
    def unanswered(self, session: Session, user: UserRef) -> KeptPuzzle | None:
        """Return the newest puzzle that a person has not answered yet."""
        theirs = PuzzleAnswerRow.player_id == id_of(session, PlayerRow, user)
        answered = select(PuzzleAnswerRow.puzzle_id).where(theirs)
        query = select(PuzzleRow).where(col(PuzzleRow.id).not_in(answered))
        return _kept(session.exec(query.order_by(col(PuzzleRow.id).desc()).limit(1)).first())

    @reads
    def get(self, session: Session, number: int) -> KeptPuzzle | None:
        """Return a puzzle by its number."""
        return _kept(session.get(PuzzleRow, number))

    @writes
    def answer(self, session: Session, user: User, number: int, now: float, *, is_right: bool) -> bool:
        """Note a person's answer if it is their first one; False if it is not."""
        person = on_record(session, user)
        if session.get(PuzzleAnswerRow, (person.id, number)) is not None:
            return False
        session.add(PuzzleAnswerRow(player_id=person.id, puzzle_id=number, at=now, is_right=is_right))
        return True

    @reads
    def tally(self, session: Session, user: UserRef) -> PuzzleTally:
        """Count what a person solved at the first try."""
        right = session.exec(
            select(PuzzleAnswerRow.is_right)
            .where(PuzzleAnswerRow.player_id == id_of(session, PlayerRow, user))
            .order_by(col(PuzzleAnswerRow.at).desc(), col(PuzzleAnswerRow.puzzle_id).desc())
        ).all()
        in_a_row = next((number for number, each in enumerate(right) if not each), len(right))
        return PuzzleTally(sum(right), in_a_row)


def _kept(row: PuzzleRow | None) -> KeptPuzzle | None:
    return None if row is None else KeptPuzzle(row.id, puzzle_of(row.state, row.line))
