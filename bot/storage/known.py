"""A cache of ids and other facts about rows, filled only by reads and committed writes."""

from collections.abc import Callable

from cachetools import LRUCache
from sqlmodel import Session

from adapters.port import RoomRef, ServerRef, UserRef
from bot.cache import LIMITS
from bot.model.messages import Subject
from bot.storage.ended import Consequences
from bot.storage.names import Meeting, Newcomers

Ref = UserRef | ServerRef
GameKey = tuple[int, int]  # a table's id, and the number of one of its games

_IN_SESSION = "known"  # the key in a session's `info`


class Known:
    """The cache that all sessions share.

    Attributes:
        numbers: The ids of the rows of people and servers; 0 if there is no row.
        busy: Whether a table's row makes a restart check the table at once, by its id.
        changes: The number of a feature's newest change that may not be shown yet, by subject.
        last_games: The last game of a room that counts; None if there was none yet.
        newcomers: The people who were met while they had no row.
        on_appointment: Called after each commit that has added or changed appointments.
        on_result: Called after each commit with the results of a game.
    """

    def __init__(self) -> None:
        self.numbers = LRUCache[Ref, int](LIMITS.known)
        self.busy = LRUCache[int, bool](LIMITS.known)
        self.changes = LRUCache[Subject, int](LIMITS.known)
        self.last_games = LRUCache[RoomRef, GameKey | None](LIMITS.known)
        self.newcomers = Newcomers()
        self.on_appointment = list[Callable[[], None]]()
        self.on_result = list[Callable[[GameKey, Consequences], None]]()

    def begin(self) -> "SessionKnown":
        """Returns a new session's view of the cache."""
        return SessionKnown(self)

    def clear(self) -> None:
        """Drops everything cached about rows, as another process may have written."""
        self.numbers.clear()
        self.busy.clear()
        self.changes.clear()
        self.last_games.clear()


class SessionKnown:
    """One session's view of the cache, with whatever the session itself has read or written."""

    def __init__(self, known: Known) -> None:
        self._known = known
        self._numbers = dict[Ref, int]()
        self._busy = dict[int, bool]()
        self._changes = dict[Subject, int]()
        self._last_games = dict[RoomRef, GameKey]()
        self._recorded = list[Meeting]()
        self._results = dict[GameKey, Consequences]()
        self._has_moved_rooms = False
        self._has_appointments = False

    @property
    def info(self) -> dict[str, object]:
        """The `info` to open the session with."""
        return {_IN_SESSION: self}

    @property
    def newcomers(self) -> Newcomers:
        """The people who were met before they had a row."""
        return self._known.newcomers

    def number(self, ref: Ref) -> int | None:
        """Returns the id of a row, 0 if there is no row; None if it is not cached."""
        return self._numbers[ref] if ref in self._numbers else self._known.numbers.get(ref)

    def note_number(self, ref: Ref, number: int) -> None:
        """Caches the id of a row; 0 if there is no row."""
        self._numbers[ref] = number

    def note_record(self, meeting: Meeting) -> None:
        """Notes that a newcomer's row was written from this meeting."""
        self._recorded.append(meeting)

    def is_busy(self, table_id: int) -> bool:
        """Returns whether a table's row is known to make a restart check the table at once."""
        return self._busy.get(table_id, self._known.busy.get(table_id, False))

    def note_busy(self, table_id: int, *, is_busy: bool = True) -> None:
        """Caches whether a table's row makes a restart check the table at once."""
        self._busy[table_id] = is_busy

    def newest_change(self, subject: Subject) -> int | None:
        """Returns the number of a subject's newest change, 0 if all is shown; None if it is not cached."""
        return self._changes.get(subject, self._known.changes.get(subject))

    def note_change(self, subject: Subject, number: int) -> None:
        """Caches the number of a subject's newest change; 0 if all is shown."""
        self._changes[subject] = number

    def last_game(self, room: RoomRef, read: Callable[[], GameKey | None]) -> GameKey | None:
        """Returns the last game of a room that counts, calling `read` if it is not cached."""
        games = self._known.last_games
        if room in self._last_games:
            return self._last_games[room]
        if room not in games:
            game = read()
            games.setdefault(room, game)  # a write that has ended meanwhile set a newer one

        return games[room]

    def note_last_game(self, room: RoomRef, game: GameKey) -> None:
        """Notes a game that counts and has just ended in a room."""
        self._last_games[room] = game

    def note_result(self, game: GameKey, consequences: Consequences) -> None:
        """Notes what a game that has just ended changes."""
        self._results[game] = consequences

    def note_moved_rooms(self) -> None:
        """Notes that games were moved to other rooms, or to none."""
        self._has_moved_rooms = True

    def note_appointment(self) -> None:
        """Notes that an appointment was added or changed."""
        self._has_appointments = True

    def publish(self) -> None:
        """Passes everything on to later sessions; to be called after a commit."""
        if self._has_moved_rooms:
            self._known.last_games.clear()

        self._known.numbers.update(self._numbers)
        self._known.busy.update(self._busy)
        self._known.changes.update(self._changes)
        self._known.last_games.update(self._last_games)
        for meeting in self._recorded:
            self.newcomers.record(meeting)

        for act_on in self._known.on_result:
            for game, consequences in self._results.items():
                act_on(game, consequences)

        if self._has_appointments:
            for act in self._known.on_appointment:
                act()


def known_in(session: Session) -> SessionKnown:
    """Returns a session's view of the cache; an empty one if it was opened without."""
    if _IN_SESSION not in session.info:
        session.info.update(Known().begin().info)

    known: SessionKnown = session.info[_IN_SESSION]
    return known
