"""What is kept on disk, and the only place with SQL."""

from bot.storage.backup import BackupFailedError, Contents, back_up, contents, restore
from bot.storage.database import Database
from bot.storage.journal import SqlJournal
from bot.storage.message_slots import Surfaces
from bot.storage.players import Players
from bot.storage.privacy import Privacy
from bot.storage.reach import DatabaseUnreachableError
from bot.storage.records import Played, Records
from bot.storage.servers import Servers
from bot.storage.standings import Standings
from bot.storage.tables import TableStore
from bot.storage.trouble import DatabaseUnusableError
from bot.storage.variations import RuleSets
from bot.storage.web import SqlGuestStore

__all__ = [
    "BackupFailedError",
    "Contents",
    "Database",
    "DatabaseUnreachableError",
    "DatabaseUnusableError",
    "Played",
    "Players",
    "Privacy",
    "Records",
    "RuleSets",
    "Servers",
    "SqlGuestStore",
    "SqlJournal",
    "Standings",
    "Surfaces",
    "TableStore",
    "back_up",
    "contents",
    "restore",
]
