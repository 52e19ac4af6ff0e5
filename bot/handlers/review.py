"""`/review`: which moves of their last game cost somebody most."""

from adapters.port import Command, Only, Reply
from bot.locale import Translator
from bot.model.findings import NoFindings
from bot.model.message_slots import MessageKind, MessageSlot
from bot.screens import refusals
from bot.screens.redirects import answer_elsewhere_screen
from bot.screens.review import looking_screen, review_screen
from bot.storage import RecordStore
from bot.tables.reviews import Reviews
from bot.tables.service import TableService


class ReviewCommand:
    """Answers who wants to look back at a game."""

    def __init__(self, reviews: Reviews, tables: TableService, records: RecordStore) -> None:
        self._reviews = reviews
        self._tables = tables
        self._records = records

    async def reply(self, command: Command, translator: Translator) -> Reply:
        """Show somebody the review of their newest game, or say at once that it will come."""
        user, room = command.user.ref, command.room
        if any(table.room == room for table in await self._tables.tables_of(user)):
            return Reply(toast=translator.text(refusals.STILL_PLAYING))
        played = await self._records.newest_of(user, near=room)
        if played is None:
            return Reply(toast=translator.text(refusals.NO_GAME_OF_YOURS))
        slot = MessageSlot(played.table_id, played.game, MessageKind.REVIEW, user)
        findings = self._reviews.findings(slot)
        if findings is None or findings is NoFindings.FAILED:
            self._reviews.request(slot, Only(user, room), played)
            told = looking_screen(translator)
        else:
            told = review_screen(slot.game, findings, translator)
        return Reply(private=told, invitation=answer_elsewhere_screen(command.user, room, translator))
