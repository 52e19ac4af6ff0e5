"""Tables that live: asynchronous, on disk before shown, the same after a restart."""

from engine.runtime.claims import SAME_MOMENT_SECONDS
from engine.runtime.locks import KeyedLocks
from engine.runtime.ports import Announcer, Author, Entry, Journal, SavedGame, VersionTakenError
from engine.runtime.results import Accepted, Closed, Refused, Result, Stale, Unreadable
from engine.runtime.session import Game, GameSession, SessionFrozenError
from engine.runtime.sessions import GameSessions

__all__ = [
    "SAME_MOMENT_SECONDS",
    "Accepted",
    "Announcer",
    "Author",
    "Closed",
    "Entry",
    "Game",
    "GameSession",
    "GameSessions",
    "Journal",
    "KeyedLocks",
    "Refused",
    "Result",
    "SavedGame",
    "SessionFrozenError",
    "Stale",
    "Unreadable",
    "VersionTakenError",
]
