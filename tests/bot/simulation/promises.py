"""The promises of the bot, checked throughout a story and at its end."""

import asyncio
from collections import Counter
from collections.abc import Collection
from contextlib import suppress
from dataclasses import fields
from itertools import chain
from typing import TYPE_CHECKING

from sqlmodel import Session, col, select

from adapters.port import CallbackButton, Everyone, MessageRef, Reply, Screen, User
from bot.app import SCHEMA
from bot.delivery.messages import Message as Kept
from bot.delivery.messages import digest_of
from bot.features.cups.model import CUP, CupPhase
from bot.features.cups.rows import CupRow
from bot.locale import LOCALES, Translator
from bot.model.buttons import ChangeLobby, HostGame, PlayMove, ShowHand, decode
from bot.model.messages import MessageKind, TableSlot
from bot.model.table import Phase, Table
from bot.screens.text import card_text
from bot.storage import DatabaseUnreachableError
from bot.storage.models import AppointmentRow, EntryRow, TableRow
from engine import Card, Done, Resign, Take, full_deck
from engine.runtime import Author, GameSession, SessionFrozenError
from tests.bot.chat import NOWHERE
from tests.bot.messages import Message, Sent, text_of
from tests.bot.simulation.feature_promises import FeaturePromises
from tests.bot.simulation.story import REGULARS, ROOMS

if TYPE_CHECKING:
    from tests.bot.simulation.stage import Stage

MAX_WAIT = 60.0  # seconds within which a house player moves, even on a busy machine

# Moves that people in stories make without pressing the button of the move.
TYPED = {"A 9H", str(Take()), str(Done()), str(Resign())}

# Fields of a table that a restart clears: an open panel, and the people in favour of a stop.
IN_MEMORY_ONLY = {"agreed", "panel", "panel_until"}

SPEAKER = Translator(LOCALES[0])
CARDS = {card_text(card, SPEAKER): card for card in full_deck(52)}


class Promises:
    """Checks the promises of the bot, which hold whatever happens.

    Attributes:
        acknowledged: The moves that were answered with a new hand, with their tables.
        pressed: The number of presses of each move's button, by move and table.
        forgotten: The people who were forgotten, and have done nothing since.
    """

    def __init__(self, stage: "Stage") -> None:
        self._stage = stage
        self.acknowledged: list[tuple[int, str]] = []
        self.pressed = Counter[tuple[int, str]]()
        self._pressed_now = set[tuple[int, str]]()
        self.forgotten: set[User] = set()
        self._about_features = FeaturePromises(stage)

    def note_press(self, token: str) -> None:
        """Notes that somebody presses a button; one that is delivered twice is pressed once."""
        move = decode(token)
        if isinstance(move, PlayMove):
            self._pressed_now.add((move.table_id, move.move))

    async def is_outdated(self, user: User, token: str) -> bool:
        """Returns whether a button is that of a move whose choice has passed."""
        move = decode(token)
        if not isinstance(move, PlayMove):
            return False

        with suppress(SessionFrozenError, DatabaseUnreachableError):
            table = await self._stage.app.tables.table(move.table_id)
            seat = table.seat_of(user.ref)
            session = await self._stage.session(table)
            return seat is not None and move.version < session.version_for(seat)

        return False

    def end_step(self) -> None:
        """Counts the presses of a step."""
        self.pressed.update(self._pressed_now)
        self._pressed_now.clear()

    def note_answer(self, token: str, reply: Reply) -> None:
        """Notes the answer to a press: a new hand without a notice acknowledges a move."""
        move = decode(token)
        if isinstance(move, PlayMove) and reply.toast is None and reply.secret is not None:
            self.acknowledged.append((move.table_id, move.move))

    # --- all the time -----------------------------------------------------------------------------------

    async def check(self, sent: Collection[Sent]) -> None:
        """Checks the promises that hold after each step, in which this was sent.

        Raises:
            AssertionError: A promise was broken.
        """
        self._stage.witness.check()
        self._changes_are_on_their_way()
        self._about_features.note(sent)

        for each in sent:
            self._names_stay_in_their_room(each)
        for user in self.forgotten:
            await self._nothing_is_kept_of(user)

    def _changes_are_on_their_way(self) -> None:
        """Checks that each message that may be out of date is queued, unless its chat takes none for now."""
        app = self._stage.app
        due = [message for message in app.message_index if self._is_to_be_sent(message)]
        queued = Counter(chain(*app.outbox.queued_at().values()))

        unqueued = Counter(message.state.wanted.queued_at for message in due) - queued
        left = [message.slot for message in due if message.state.wanted.queued_at in unqueued]
        assert not left, f"changes that nobody will send: {left}"

    def _is_to_be_sent(self, message: Kept) -> bool:
        reader = message.reader
        if reader is None or not message.is_dirty:
            return False
        return not self._stage.app.reachability.is_closed(reader)

    def _names_stay_in_their_room(self, sent: Sent) -> None:
        if sent.screen is None:
            return

        words = text_of(sent.screen) + " ".join(button.label for row in sent.screen.rows for button in row)
        home = self._stage.home_of(sent.place)
        strangers = {user.name for room in ROOMS if room != home for user in REGULARS[room]}
        leaked = [name for name in strangers if name in words]
        assert not leaked, f"names reached another room: {leaked}, {sent.place}: {words}"

    async def _nothing_is_kept_of(self, user: User) -> None:
        def read(session: Session) -> dict[str, str]:
            connection = session.connection()
            return {
                table.name: "\n".join(str(tuple(row)) for row in connection.execute(table.select()))
                for table in SCHEMA.tables
            }

        kept = await self._stage.database.read(read)
        known = [name for name, rows in kept.items() if user.ref.id in rows or user.name in rows]
        assert not known, f"tables that still know a forgotten person: {known}, {user.name}"

    # --- in the end -------------------------------------------------------------------------------------

    async def check_end(self) -> None:
        """Checks the promises that hold once all failures are over.

        Raises:
            AssertionError: A promise was broken.
        """
        await self.moves_are_in_the_journal()
        await self.memory_is_as_the_disk()
        await self.messages_are_newest()
        for table in await self._tables():
            await self._table_is_right(table)
            await self._result_is_posted(table)

        await self._cups_go_on()
        await self._about_features.check_end()
        stuck = self._stage.app.scheduler.stuck_tables
        assert not stuck, f"nothing happens at tables: {stuck}"

    async def moves_are_in_the_journal(self) -> None:
        """Checks that every acknowledged move is on disk; from then on, the journal may be dropped."""
        query = select(EntryRow.table_id, EntryRow.text, EntryRow.author)
        lines = await self._stage.database.read(lambda session: session.exec(query).all())
        written = Counter((table_id, text) for table_id, text, _ in lines)
        lost = Counter(self.acknowledged) - written
        assert not lost, f"acknowledged, and not in the journal: {sorted(lost)}"
        self.acknowledged.clear()

        own = Counter((table_id, text) for table_id, text, author in lines if author == Author.PLAYER)
        unpressed = own - self.pressed
        made_up = sorted((table_id, text) for table_id, text in unpressed if text not in TYPED)
        assert not made_up, f"moves that nobody pressed: {made_up}"

    async def memory_is_as_the_disk(self) -> None:
        """Checks that all tables in memory are the same as on disk."""
        for table in await self._tables():
            stored = await self._stage.table_store.get(table.id)
            assert stored is not None
            names = [each.name for each in fields(table) if each.name not in IN_MEMORY_ONLY]
            both = {name: (getattr(table, name), getattr(stored, name)) for name in names}
            differing = {name: pair for name, pair in both.items() if pair[0] != pair[1]}
            assert not differing, f"a table differs in memory and on disk: {table.id} {differing}"

    async def messages_are_newest(self) -> None:
        """Checks that messages show the current state of their tables, except those still to be sent."""
        app = self._stage.app
        for table in await self._tables():
            messages = await app.message_index.of(table.subject)
            if app.outbox.is_dirty(table.subject):
                continue

            is_at_rest = table.phase not in {Phase.LOBBY, Phase.PLAYING}
            for slot, message in list(messages.items()):
                if is_at_rest and slot.user is not None:
                    continue  # it keeps the language in which it was sent
                if slot.game < table.game and self._stage.was_killed:
                    continue  # rendered again, it would contain later changes by its players

                standing = self._stage.chat.messages.get(message.ref or NOWHERE)
                newest = await app.presenter.screen(slot)
                if standing is None or not isinstance(newest, Screen):
                    continue
                if message.ref in self._stage.unheard and message.state.shown.digest == digest_of(newest):
                    continue  # it was being edited when the process was killed

                is_newest = standing.text == text_of(newest)
                both = f"{standing.text}\n--- instead of ---\n{text_of(newest)}"
                assert is_newest, f"a message is out of date: {slot} {both}"

    async def _tables(self) -> list[Table]:
        """Returns all tables of the rooms, as they are on disk."""
        stage = self._stage
        numbers = await stage.database.read(lambda session: list(session.exec(select(TableRow.id))))
        tables = [await stage.app.tables.table(number) for number in numbers if number is not None]
        return [table for table in tables if stage.home_of(table.room) in ROOMS]

    async def _table_is_right(self, table: Table) -> None:
        with suppress(SessionFrozenError):
            session = await self._stage.session(table)
            is_over = session.outcome is not None and session.game == table.game
            is_shown_over = table.phase in {Phase.OVER, Phase.CLOSED}
            assert not is_over or is_shown_over, f"a game that is over goes on: {table.phase}"
            if session.newest is not None:  # else its moves were dropped
                assert is_over or table.phase is not Phase.OVER, "over without an outcome"

        assert table.room not in self._stage.chat.reported, f"a table has an old room: {table.room}"
        if table.phase in {Phase.LOBBY, Phase.PLAYING}:
            self._is_shown_once(table)
        if table.phase is not Phase.PLAYING:
            return

        people = self._stage.people_of(table)
        assert session.state is not None
        await self._hidden_cards_stay_hidden(table, session)
        for user in people:
            if table.seat_of(user.ref) is not None:
                self._hand_is_shown_once(table, session, user)

        self._goes_on(table, session)
        awaited = [user for user in people if table.seat_of(user.ref) in session.state.awaited]
        if awaited:
            await self._can_move(table, awaited[0])

    async def _result_is_posted(self, table: Table) -> None:
        """Checks that the newest game that is over has its result in the room, unless the room takes none."""
        app = self._stage.app
        with suppress(SessionFrozenError):
            session = await self._stage.session(table)
            is_on_its_way = app.outbox.is_dirty(table.subject) or app.reachability.is_closed(
                Everyone(table.room)
            )
            if session.outcome is None or is_on_its_way:
                return

            slot = TableSlot(table.id, session.game, MessageKind.RESULT)
            posted = await app.message_index.message(slot)
            assert posted is not None, f"a result was never posted: {slot}"

    def _is_shown_once(self, table: Table) -> None:
        chat = self._stage.chat
        shown = [message for message in chat.room_sees(table.room) if _shows(message, table)]
        living = [message.text for message in shown if not chat.is_left_behind(message)]
        most = 1 + self._stage.doubtful[chat.current(table.room)]
        assert shown, "the table is nowhere to be seen"
        assert len(living) <= most, f"several messages show one table: {living}"

    def _goes_on(self, table: Table, session: GameSession) -> None:
        """Checks that no game waits for a house player or its clock, unless the table sleeps."""
        scheduler = self._stage.app.scheduler
        schedule = scheduler.schedule(table, session.newest)
        away = schedule.away
        rests = table.options.is_paused or schedule.is_asleep
        if session.state is None or rests:
            return

        waited = self._stage.clock.now() - session.changed_at
        house = {seat for seat, player in enumerate(table.players) if player.user is None}
        for_bots = session.state.awaited & (house | away)
        assert not for_bots or waited < MAX_WAIT, f"a bot does not move: seats {for_bots} for {waited} s"

        clock = table.options.clock
        is_over_time = bool(clock) and waited > clock + MAX_WAIT
        assert not is_over_time, f"the clock moves for nobody: {waited} s"

    def _hand_is_shown_once(self, table: Table, session: GameSession, user: User) -> None:
        shown = [
            message.text
            for message in self._stage.chat.sees_alone(user)
            if any(_plays(button, table, session.version) for button in message.buttons)
        ]
        most = 1 + self._stage.doubtful[user.ref]
        assert len(shown) <= most, f"somebody has several hands: {user.name} {shown}"

    async def _hidden_cards_stay_hidden(self, table: Table, session: GameSession) -> None:
        """Checks that no message of a table reveals a card that its readers can't know."""
        assert session.state is not None
        hidden = _hidden(session)
        messages = await self._stage.app.message_index.of(table.subject)
        shown = {message.ref: slot for slot, message in messages.items() if slot.game == table.game}

        for message in self._stage.chat.messages.values():
            slot = shown.get(message.ref)
            if slot is None or slot.kind is MessageKind.REVIEW:
                continue

            seat = None if slot.user is None else table.seat_of(slot.user)
            own = frozenset() if seat is None else frozenset(session.state.hands[seat])
            told = {card for text, card in CARDS.items() if _names(message, text)} & (hidden - own)
            assert not told, f"a message tells hidden cards: {sorted(map(str, told))}, {slot}: {message.text}"

    async def _can_move(self, table: Table, user: User) -> None:
        """Checks that an awaited person has a button, and that their move is taken."""
        stage = self._stage
        before = await stage.session(table)
        version = before.version

        moves = await self._moves_of(user, table)
        if not moves:
            seen = stage.buttons_of(user, table.room)
            leading = [(ref, button) for ref, button in seen if _leads_to_hand(button, table)]
            assert leading, f"somebody is waited for and has no button: {user.name}"
            await stage.waits_for(asyncio.create_task(stage.acts.press_one(user, leading, 0)))
            moves = await self._moves_of(user, table)
            assert moves, f"somebody is waited for and has no move in their hand: {user.name}"

        await stage.waits_for(asyncio.create_task(stage.acts.press_one(user, moves, 0)))
        after = await stage.session(table)
        assert after.version > version, f"a move was pressed in vain: {user.name}, {moves[0][1].label}"

    async def _moves_of(self, user: User, table: Table) -> list[tuple[MessageRef, CallbackButton]]:
        """Returns the buttons by which somebody can move, the newest message first."""
        session = await self._stage.session(table)
        seat = table.seat_of(user.ref)
        assert seat is not None
        oldest = session.version_for(seat)
        seen = self._stage.buttons_of(user, table.room)
        return [(ref, button) for ref, button in reversed(seen) if _plays(button, table, oldest)]

    async def _cups_go_on(self) -> None:
        """Checks that every unfinished cup has an appointment."""

        def read(session: Session) -> set[str]:
            goes_on = col(CupRow.phase).in_([CupPhase.GATHERING, CupPhase.PLAYING])
            running = {str(number) for number in session.exec(select(CupRow.id).where(goes_on))}
            kept = session.exec(select(AppointmentRow.about).where(AppointmentRow.kind == CUP))
            return running - set(kept)

        alone = await self._stage.database.read(read)
        assert not alone, f"nobody looks after the cups {sorted(alone)}"


# --- buttons and cards --------------------------------------------------------------------------------------


def _shows(message: Message, table: Table) -> bool:
    """Returns whether a message is the lobby of a table or its running game."""
    meanings = [decode(button.token) for button in message.buttons if button.enabled]
    return any(isinstance(each, ChangeLobby | HostGame) and each.table_id == table.id for each in meanings)


def _plays(button: CallbackButton, table: Table, oldest: int) -> bool:
    move = decode(button.token)
    if not button.enabled or not isinstance(move, PlayMove):
        return False
    return move.table_id == table.id and move.version >= oldest


def _leads_to_hand(button: CallbackButton, table: Table) -> bool:
    meaning = decode(button.token)
    return button.enabled and isinstance(meaning, ShowHand) and meaning.table_id == table.id


def _hidden(session: GameSession) -> frozenset[Card]:
    """Returns the cards in hands and in the talon that were never public."""
    state = session.state
    assert state is not None
    played = " ".join(entry.text for entry in session.entries[1:])
    seen = {card for _, card in state.seen_cards} | {state.turn_up}
    cards = {*chain(*state.hands), *state.talon} - seen
    return frozenset(card for card in cards if str(card) not in played)


def _names(message: Message, card: str) -> bool:
    return card in message.text or any(card in button.label for button in message.buttons)
