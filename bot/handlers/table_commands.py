"""`/durak`, `/hand`, `/rules`, `/verify` and `/stop`: a room's table, and the last game there."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from adapters.port import Command, Document, MessageRef, Reply, Screen
from bot.delivery.outbox import Outbox
from bot.delivery.presenter import Presenter
from bot.handlers.agreement import Agreement, Wish
from bot.locale import Translator
from bot.model.message_slots import MessageKind, MessageSlot
from bot.model.table import Phase, Table, TableRefusedError
from bot.model.table_options import TableOptions
from bot.screens import refusals
from bot.screens.arguments import one_of
from bot.screens.redirects import (
    invitation_screen,
    others_play_screen,
    seated_screen,
    standing_table_screen,
)
from bot.screens.refusals import table_refusal
from bot.screens.rules import rules_screen
from bot.screens.table import seal_line
from bot.screens.verification import verification_screen
from bot.storage import RecordStore
from bot.tables.deals import trace_of
from bot.tables.rule_book import RuleBook
from bot.tables.service import TableService
from engine import STRENGTHS, short_seal

TableScreen = Callable[[MessageRef, Translator], Screen]
"""What leads somebody to a table."""

HOUSE = "bots"
"""The word for a game at once against house players; `bots=expert` says how well they play."""


class TableCommands:
    """Answers what people type about the table of a room."""

    def __init__(
        self,
        *,
        tables: TableService,
        presenter: Presenter,
        outbox: Outbox,
        agreement: Agreement,
        rule_book: RuleBook,
        records: RecordStore,
    ) -> None:
        self._tables = tables
        self._presenter = presenter
        self._outbox = outbox
        self._agreement = agreement
        self._rule_book = rule_book
        self._records = records

    async def durak(self, command: Command, translator: Translator) -> Reply:
        """Open a table in the room, or point to the one that stands there."""
        if command.missing_rights:
            missing = ", ".join(command.missing_rights)
            return Reply(toast=translator.text(refusals.NOT_ALLOWED_HERE, missing=missing))
        strength, words = _house_player(command.args, translator)
        rule_set = await self._rule_book.read(command.room.server, words)
        opened = await self._tables.open(
            command.room, command.user, rule_set, translator.locale, event=command.id
        )
        slot = MessageSlot(opened.table.id, opened.table.game, MessageKind.TABLE)
        if opened.is_new:
            return await self._begun(opened.table, slot, command, strength)
        table, user = opened.table, command.user.ref
        screen: TableScreen = standing_table_screen
        try:
            if strength and table.phase is Phase.LOBBY:
                screen = await self._sit_down(table, command, strength)
            elif table.phase is Phase.PLAYING and table.seat_of(user) is None:
                screen = others_play_screen
        except TableRefusedError as refused:
            return Reply(toast=table_refusal(refused, Translator(table.locale)))
        message = await self._outbox.checked_message(slot)
        if message is None:
            return Reply()  # the table is posted anew
        return Reply(personal=screen(message, Translator(table.locale)))

    async def _sit_down(self, table: Table, command: Command, strength: str) -> TableScreen:
        """Let somebody play against the house at a table that gathers: alone at once, else with the others.

        Raises:
            TableRefusedError: There is no room for both.
        """
        user = command.user.ref

        def seated(now: Table) -> Table:
            if now.seat_of(user) is None:
                now = now.join(command.user, trace_of(command.id))
            return now if now.people() == (user,) else now.add_house(user)

        table = await self._tables.change(table.id, seated)
        if table.people() != (user,):
            return seated_screen
        await self._play_against_house(table, command, strength)
        return standing_table_screen

    async def _begun(self, table: Table, slot: MessageSlot, command: Command, strength: str) -> Reply:
        """Answer with a new table where the chat can, and begin at once against house players, if wished."""
        if command.answer_key:
            self._outbox.answers.hold(slot, table.room)
        if strength:
            await self._play_against_house(table, command, strength)
        if not command.answer_key:
            return Reply()
        return Reply(public=await self._outbox.answers.answer(slot, command.answer_key))

    async def _play_against_house(self, table: Table, command: Command, strength: str) -> None:
        """Deal the cards to whoever opened a table and as many house players as its rules need."""
        opener = command.user.ref

        def seated(now: Table) -> Table:
            now = now.play_with(opener, replace(now.options, strength=strength))
            while now.rules.clashes(len(now.players)):
                now = now.add_house(opener)
            return now

        await self._tables.change(table.id, seated)
        await self._tables.start(table.id, opener, event=command.id)

    async def hand(self, command: Command, translator: Translator) -> Reply:
        """Show somebody their cards: where they typed it, or else in their private chat."""
        for table in await self._tables.tables_of(command.user.ref, near=command.room):
            hand = await self._presenter.hand(table, command.user.ref)
            slot = MessageSlot(table.id, table.game, MessageKind.HAND, command.user.ref)
            if hand is not None and not command.is_private and await self._outbox.bring(slot):
                return Reply()
            if hand is not None:
                return Reply(private=hand, invitation=invitation_screen(command.user, table.room, translator))
        return Reply(toast=translator.text(refusals.NO_CARDS))

    async def rules(self, command: Command, translator: Translator) -> Reply:
        """Explain rules: those named, those of the table, or those played here."""
        server = command.room.server
        table = await self._tables.in_room(command.room)
        if command.args or table is None:
            chosen = await self._rule_book.read(server, command.args)
            name, rules, players = chosen.name, chosen.rules, None
        else:
            name, rules = table.preset, table.rules
            players = len(table.players) if table.phase is Phase.PLAYING else None
        others = tuple(other for other in await self._rule_book.names(server) if other != name)
        return Reply(public=rules_screen(name, rules, others, translator, players))

    async def verify(self, command: Command, translator: Translator) -> Reply:
        """Show that the last game's deal was fair, with its record, and the seal of the game that runs."""
        table = await self._tables.in_room(command.room)
        seal = short_seal(table.seed) if table is not None and table.phase is Phase.PLAYING else ""
        finished = await self._records.newest(command.room)
        if finished is None and seal:
            return Reply(public=Screen(body=seal_line(seal, translator)))
        if finished is None:
            return Reply(toast=translator.text(refusals.NO_FINISHED_GAME))
        return Reply(
            public=verification_screen(finished.record, translator, running=seal),
            document=Document("durak.txt", finished.record.to_text().encode()),
        )

    async def stop(self, command: Command, translator: Translator) -> Reply:
        """Put the table away, or note that somebody agrees to end its game."""
        table = await self._tables.in_room(command.room)
        if table is None:
            return Reply(toast=translator.text(refusals.NO_RUNNING_TABLE))
        try:
            wish = await self._agreement.stop(table, command.user.ref)
        except TableRefusedError as refused:
            return Reply(toast=table_refusal(refused, translator))
        if wish is Wish.DONE:
            return Reply(toast=translator.text("The table is closed."))
        if wish is Wish.NOTED:
            return Reply(toast=translator.text(refusals.OTHERS_HAVE_TO_AGREE))
        is_running = table.phase is Phase.PLAYING
        sentence = refusals.NOT_YOURS_TO_STOP if is_running else refusals.NOT_YOURS_TO_CLOSE
        return Reply(toast=translator.text(sentence))


def _house_player(words: Sequence[str], translator: Translator) -> tuple[str, Sequence[str]]:
    """Read how well house players shall play, if one wants to play against them; gives the other words, too.

    Raises:
        InvalidArgumentError: They cannot play like that.
    """
    strength, others = "", list[str]()
    for word in words:
        name, sign, value = word.lower().partition("=")
        if name != HOUSE:
            others.append(word)
        else:
            strength = one_of(tuple(STRENGTHS), value, translator) if sign else TableOptions().strength
    return strength, others
