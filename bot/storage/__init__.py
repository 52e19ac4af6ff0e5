"""What is kept on disk, and the only place with SQL."""

from bot.storage.backup import BackupFailedError, Contents, back_up, contents, restore
from bot.storage.database import Database
from bot.storage.idle_tables import IdleTableStore
from bot.storage.journal import SqlJournal
from bot.storage.message_slots import MessageSlotStore
from bot.storage.players import PlayerStore
from bot.storage.privacy import PrivacyStore
from bot.storage.reach import DatabaseDamagedError, DatabaseUnreachableError
from bot.storage.records import PastGame, Played, RecordStore
from bot.storage.servers import ServerStore
from bot.storage.standings import StandingsStore
from bot.storage.tables import TableStore
from bot.storage.trouble import DatabaseUnusableError
from bot.storage.variations import VariationStore
from bot.storage.web import SqlGuestStore

__all__ = [
    "BackupFailedError",
    "Contents",
    "Database",
    "DatabaseDamagedError",
    "DatabaseUnreachableError",
    "DatabaseUnusableError",
    "IdleTableStore",
    "MessageSlotStore",
    "PastGame",
    "Played",
    "PlayerStore",
    "PrivacyStore",
    "RecordStore",
    "ServerStore",
    "SqlGuestStore",
    "SqlJournal",
    "StandingsStore",
    "TableStore",
    "VariationStore",
    "back_up",
    "contents",
    "restore",
]
