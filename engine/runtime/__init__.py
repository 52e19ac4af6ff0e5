"""Tables that live: asynchronous, on disk before shown, the same after a restart."""

from engine.runtime.claims import MOMENT
from engine.runtime.locks import Locks
from engine.runtime.ports import Announcer, Author, Clock, Entry, Journal, Saved, VersionTakenError
from engine.runtime.results import Accepted, Closed, Refused, Result, Stale, Unreadable
from engine.runtime.session import Game, GameSession, SessionFrozenError
from engine.runtime.sessions import GameSessions

__all__ = [
    "MOMENT",
    "Accepted",
    "Announcer",
    "Author",
    "Clock",
    "Closed",
    "Entry",
    "Game",
    "GameSession",
    "GameSessions",
    "Journal",
    "Locks",
    "Refused",
    "Result",
    "Saved",
    "SessionFrozenError",
    "Stale",
    "Unreadable",
    "VersionTakenError",
]
