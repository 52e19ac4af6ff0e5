"""What is kept on disk, and the only place with SQL."""

from bot.storage.database import Database
from bot.storage.journal import SqlJournal
from bot.storage.lobbies import Lobbies
from bot.storage.players import Players
from bot.storage.standings import Standing, Standings
from bot.storage.surfaces import Surfaces
from bot.storage.web import SqlGuestStore

__all__ = [
    "Database",
    "Lobbies",
    "Players",
    "SqlGuestStore",
    "SqlJournal",
    "Standing",
    "Standings",
    "Surfaces",
]
