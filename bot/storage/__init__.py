"""The database; features have their own rows and stores."""

from bot.storage.backup import BackupFailedError, Contents, back_up, contents, restore
from bot.storage.badges import WORN, BadgeState, BadgeStore, Fool, Wearer
from bot.storage.calendar import CalendarStore
from bot.storage.call_rates import CallRateStore
from bot.storage.calls import CallStore, Wish
from bot.storage.database import Database
from bot.storage.ended import EndedGame, GameEnded, HowEnded
from bot.storage.health import DatabaseDamagedError, DatabaseUnreachableError
from bot.storage.messages import MessageSlotStore
from bot.storage.models import CORE_ROWS
from bot.storage.old_moves import OldMoveStore
from bot.storage.page import SqlGuestStore
from bot.storage.people import PlayerStore, ServerStore, VariationStore
from bot.storage.personal_rows import PersonalRows, clear, keep
from bot.storage.privacy import PrivacyStore
from bot.storage.records import FinishedGame, GameToReview, RecordStore
from bot.storage.schema import Schema
from bot.storage.seasons import SeasonStore
from bot.storage.standings import StandingsStore
from bot.storage.tables import SqlJournal, TableStore
from bot.storage.titles import TitleStore
from bot.storage.trouble import DatabaseUnusableError
from bot.storage.upgrade import Upgrade
