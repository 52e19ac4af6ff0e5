"""The promises about what features show: each cup, and each entry of games with real cards."""

from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from sqlmodel import Session, col, select

from adapters.port import Everyone, MessageRef, Screen, UserRef
from bot.delivery.messages import Message as Kept
from bot.delivery.messages import digest_of
from bot.features.cups.buttons import ChangeCup
from bot.features.cups.model import CUP
from bot.features.cups.rows import CupRow
from bot.features.real_cards.buttons import ChangeCardGames
from bot.features.real_cards.model import CARD_GAMES
from bot.features.real_cards.rows import CardEntryRow
from bot.model.buttons import decode
from bot.model.messages import MessageAction, Place, ScreenSource, Slot, Subject
from bot.storage.models import CardGameRow, CardSeatRow, FeatureMessageRow, OutdatedRow, PlayerRow, ServerRow
from tests.bot.chat import NOWHERE
from tests.bot.messages import Sent, buttons_of, text_of

if TYPE_CHECKING:
    from tests.bot.simulation.stage import Stage


class FeaturePromises:
    """Checks the promises about features' messages, once all failures are over.

    Attributes:
        shown: The messages that ever had buttons of a subject, by the subject.
        asked: The messages by which somebody was asked in private, by the subject.
    """

    def __init__(self, stage: "Stage") -> None:
        self._stage = stage
        self.shown = defaultdict[Subject, set[MessageRef]](set)
        self.asked = defaultdict[tuple[Subject, UserRef], set[MessageRef]](set)

    def note(self, sent: Collection[Sent]) -> None:
        """Notes the sent messages by their subjects."""
        for each in sent:
            for subject in _subjects_of(each.screen):
                if not isinstance(each.place, UserRef):
                    self.shown[subject].add(each.ref)
                elif each.verb == "post":
                    self.asked[subject, each.place].add(each.ref)

    async def check_end(self) -> None:
        """Checks all promises.

        Raises:
            AssertionError: A promise was broken.
        """
        subjects = await self._stage.database.read(_subjects)
        are_open = [await self._is_shown(subject) for subject in subjects]
        for subject in self.shown.keys() - set(subjects):
            self._has_no_buttons(subject)

        self._everybody_is_asked_once()
        if all(are_open):
            await self._nothing_is_outdated()
            await self._nothing_is_kept_of_games_taken_back()

    async def _is_shown(self, subject: Subject) -> bool:
        """Checks that all messages about a subject show its current state, and that one of them is public.

        Returns:
            Whether that could be checked: a chat that has refused many messages is tried again later.
        """
        app = self._stage.app
        source = app.screens[subject.kind]
        messages = await app.message_index.of(subject)
        places = await source.places(subject)
        if any(app.reachability.is_closed(place.reader) for place in places.values()):
            return False

        assert not app.outbox.is_dirty(subject), f"it is not shown as it is: {subject}"

        for slot, place in places.items():
            is_public = slot.user is None
            message = messages.get(slot)
            if message is None or message.ref is None:
                assert not is_public, f"it is nowhere to be seen: {slot}"
                continue

            await self._is_newest(message, source)
            if is_public:
                self._is_pinned_as_it_should_be(message, place)

        self._is_shown_once(subject, messages.keys())
        return True

    async def _is_newest(self, message: Kept, source: ScreenSource[Slot]) -> None:
        chat = self._stage.chat
        newest = await source.screen(message.slot)
        standing = chat.messages.get(message.ref or NOWHERE)
        if newest is MessageAction.KEEP:
            return

        assert isinstance(newest, Screen), f"it should not be there: {message.slot}"
        if standing is None:  # no chat reports that it was deleted; the next change reveals it
            is_undiscovered = (
                message.ref in self._stage.acts.deleted and message.state.shown.digest == digest_of(newest)
            )
            assert is_undiscovered, f"it is gone: {message.slot}"
            return

        keeps_language = message.state.shown.digest == digest_of(standing.screen)  # until its next change
        if keeps_language and await self._stage.database.read(_have_languages_changed):
            return

        both = f"{text_of(standing.screen)}\n--- instead of ---\n{text_of(newest)}"
        assert standing.screen == newest, f"a message is out of date: {message.slot} {both}"

    def _is_pinned_as_it_should_be(self, message: Kept, place: Place) -> None:
        chat = self._stage.chat
        standing = chat.messages.get(message.ref or NOWHERE)
        if standing is None or chat.is_left_behind(standing):
            return

        is_pinned = message.ref in chat.pinned
        assert is_pinned is place.is_pinned, f"pinned: {is_pinned}, and not {place.is_pinned}: {message.slot}"

    def _is_shown_once(self, subject: Subject, slots: Collection[Slot]) -> None:
        """Checks that a room shows a subject once, apart from questions to a single person."""
        personal = {slot for slot in slots if slot.user is not None}
        messages = self._stage.app.message_index.about(subject).by_slot
        of_others = {messages[slot].ref for slot in personal}
        living = [ref for ref in self._living(subject) if ref not in of_others]
        assert len(living) <= 1, f"several messages show one thing: {subject} {living}"

    def _living(self, subject: Subject) -> Iterator[MessageRef]:
        """Yields the messages that everybody sees, and that were about a subject."""
        chat = self._stage.chat
        for ref in sorted(self.shown[subject], key=str):
            message = chat.messages.get(ref)
            is_public = message is not None and isinstance(message.audience, Everyone)
            if message is not None and is_public and not chat.is_left_behind(message):
                yield ref

    def _has_no_buttons(self, subject: Subject) -> None:
        """Checks that messages of deleted subjects have no buttons left."""
        messages = self._stage.chat.messages
        pressable = [ref for ref in self._living(subject) if subject in _subjects_of(messages[ref].screen)]
        assert not pressable, f"messages have buttons of something gone: {subject} {pressable}"

    def _everybody_is_asked_once(self) -> None:
        stage = self._stage
        for (subject, user), refs in self.asked.items():
            arrived = [ref for ref in refs if ref in stage.chat.messages or ref in stage.acts.deleted]
            assert len(arrived) <= 1, f"somebody was asked twice: {subject} {user}"

    async def _nothing_is_outdated(self) -> None:
        """Checks that the next start has nothing to update."""

        def read(session: Session) -> list[Subject]:
            return [Subject(row.subject, row.number) for row in session.exec(select(OutdatedRow))]

        outdated = await self._stage.database.read(read)
        assert not outdated, f"it counts as out of date for ever: {outdated}"

    async def _nothing_is_kept_of_games_taken_back(self) -> None:
        def read(session: Session) -> list[int]:
            valid = select(CardEntryRow.batch).where(col(CardEntryRow.taken_back_by).is_(None))
            entries = select(CardEntryRow.batch).where(col(CardEntryRow.taken_back_by).is_not(None))
            seats = select(CardGameRow.batch).join(CardSeatRow).where(col(CardGameRow.batch).not_in(valid))
            row = FeatureMessageRow
            messages = select(row.number).where(row.subject == CARD_GAMES, col(row.number).not_in(valid))
            return [number for query in (entries, seats, messages) for number in session.exec(query)]

        kept = await self._stage.database.read(read)
        assert not kept, f"something is kept of games that were taken back: {kept}"


def _subjects(session: Session) -> list[Subject]:
    """Returns the subjects of all features."""
    cups = [Subject(CUP, number) for number in session.exec(select(CupRow.id))]
    entries = [Subject(CARD_GAMES, number) for number in session.exec(select(CardEntryRow.batch))]
    return cups + entries


def _have_languages_changed(session: Session) -> bool:
    """Returns whether a person or a server has chosen a language."""
    people = select(PlayerRow.id).where(PlayerRow.language != "")
    servers = select(ServerRow.id).where(ServerRow.locale != "")
    return any(session.exec(query).first() is not None for query in (people, servers))


def _subjects_of(screen: Screen | None) -> set[Subject]:
    """Returns the features' subjects of a screen's buttons."""
    subjects = set()
    for button in () if screen is None else buttons_of(screen):
        match decode(button.token):
            case ChangeCup(number):
                subjects.add(Subject(CUP, number))
            case ChangeCardGames(number):
                subjects.add(Subject(CARD_GAMES, number))

    return subjects
