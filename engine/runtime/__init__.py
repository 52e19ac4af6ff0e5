"""Running games: asynchronous, written to disk before they are shown, the same after a restart."""

from engine.runtime.session import (
    SAME_MOMENT_SECONDS,
    Accepted,
    Announcer,
    Author,
    Closed,
    Entry,
    Game,
    GameSession,
    GameSessions,
    Journal,
    KeyedLocks,
    Refused,
    Result,
    SavedGame,
    SessionFrozenError,
    Stale,
    Unreadable,
    VersionTakenError,
)
