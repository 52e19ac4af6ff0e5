"""Puzzles from endings that were really played, and who answered which."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session, col, func, select

from adapters.port import User, UserRef
from bot.model.results import PuzzleTally
from bot.storage.database import Database
from bot.storage.models import PlayerRow, PuzzleAnswerRow, PuzzleRow
from bot.storage.people import find, find_or_add, storable
from engine import Puzzle, line_text, puzzle_of


@dataclass(frozen=True, slots=True)
class KeptPuzzle:
    """A puzzle and its number."""

    id: int
    puzzle: Puzzle


class PuzzleStore:
    """All puzzles that were found, the same for everybody."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, puzzles: Sequence[Puzzle], played_at: float) -> None:
        """Keep puzzles of a game, except those that are known."""

        def write(session: Session) -> None:
            for each in puzzles:
                state = each.state.to_text()
                if session.exec(select(PuzzleRow.id).where(PuzzleRow.state == state)).first() is None:
                    session.add(PuzzleRow(state=state, line=line_text(each), played_at=played_at))
                    session.flush()

        await self._database.write(write)

    async def newest_game(self) -> float | None:
        """Return when the newest game was over in which a puzzle was found."""
        newest = select(func.max(PuzzleRow.played_at))
        return await self._database.read(lambda session: session.exec(newest).one())

    async def of_day(self, day: int) -> KeptPuzzle | None:
        """Return the puzzle of a day, by its number: the one it has, or else one that no day has yet."""

        def write(session: Session) -> KeptPuzzle | None:
            row = session.exec(select(PuzzleRow).where(PuzzleRow.day == day)).first()
            if row is None:
                free = select(PuzzleRow).where(col(PuzzleRow.day).is_(None)).order_by(col(PuzzleRow.id))
                row = session.exec(free.limit(1)).first()
            if row is None:
                return None
            row.day = day
            return _kept(row)

        return await self._database.write(write)

    async def unanswered(self, user: UserRef) -> KeptPuzzle | None:
        """Return the newest puzzle that a person has not answered yet."""

        def read(session: Session) -> KeptPuzzle | None:
            person = find(session, PlayerRow, user)
            answered = select(PuzzleAnswerRow.puzzle_id).where(
                PuzzleAnswerRow.player_id == (person and person.id)
            )
            query = select(PuzzleRow).where(col(PuzzleRow.id).not_in(answered))
            row = session.exec(query.order_by(col(PuzzleRow.id).desc()).limit(1)).first()
            return None if row is None else _kept(row)

        return await self._database.read(read)

    async def get(self, number: int) -> KeptPuzzle | None:
        """Return a puzzle by its number."""

        def read(session: Session) -> KeptPuzzle | None:
            row = session.get(PuzzleRow, number)
            return None if row is None else _kept(row)

        return await self._database.read(read)

    async def answer(self, user: User, number: int, now: float, *, is_right: bool) -> bool:
        """Note a person's answer if it is their first one; False if it is not."""

        def write(session: Session) -> bool:
            person = find_or_add(session, PlayerRow, user.ref)
            person.name = person.name or storable(user.name)
            if session.get(PuzzleAnswerRow, (person.id, number)) is not None:
                return False
            session.add(PuzzleAnswerRow(player_id=person.id, puzzle_id=number, at=now, is_right=is_right))
            return True

        return await self._database.write(write)

    async def tally(self, user: UserRef) -> PuzzleTally:
        """Count what a person solved at the first try."""

        def read(session: Session) -> PuzzleTally:
            person = find(session, PlayerRow, user)
            query = select(PuzzleAnswerRow.is_right).where(
                PuzzleAnswerRow.player_id == (person and person.id)
            )
            right = session.exec(
                query.order_by(col(PuzzleAnswerRow.at).desc(), col(PuzzleAnswerRow.puzzle_id).desc())
            ).all()
            in_a_row = next((number for number, each in enumerate(right) if not each), len(right))
            return PuzzleTally(sum(right), in_a_row)

        return await self._database.read(read)


def _kept(row: PuzzleRow) -> KeptPuzzle:
    return KeptPuzzle(row.id, puzzle_of(row.state, row.line))
