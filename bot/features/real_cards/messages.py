"""The messages about games with real cards: one for the room, and a question to each fool."""

from collections.abc import Collection, Mapping

from adapters.port import Everyone, Only, Screen, UserRef
from bot.features.real_cards.model import QUESTION, Entered, entry_of, question_to
from bot.features.real_cards.part import RealCards
from bot.features.real_cards.screens import state_screen
from bot.model.messages import FeatureSlot, MessageAction, Place, ScreenSource, Subject, Urgency


class CardMessages(ScreenSource[FeatureSlot]):
    """Renders the messages about games with real cards."""

    def __init__(self, cards: RealCards) -> None:
        self._cards = cards
        self._core = cards.core

    async def places(self, subject: Subject) -> Mapping[FeatureSlot, Place]:
        """Returns the places of the message for the room, and of the questions that were asked or are due."""
        entered = await self._cards.store.entered(subject.number)
        if entered is None:
            return {}

        messages = await self._core.message_index.of(subject)
        slots = {slot for slot, message in messages.items() if message.ref is not None}
        if entered.is_for_room:
            slots.add(entry_of(entered.id))

        places = {slot: self._place_of(slot, entered) for slot in slots}

        for fool in await self._fools_to_ask(entered):
            if self._core.reachability.is_closed(Only(fool, entered.room)):
                self._cards.wait_for(fool, entered.server, entered.id)
            else:
                places[question_to(fool, entered.id)] = Place(Only(fool, entered.room))

        return places

    def _place_of(self, slot: FeatureSlot, entered: Entered) -> Place:
        """Returns the place of the message for the room, or of a question."""
        if slot.user is None:
            return Place(Everyone(entered.room), Urgency.ASKED_FOR, is_led_to=True)
        if slot.part == QUESTION:
            return Place(Only(slot.user, entered.room), Urgency.ASKED_FOR)
        return self._cards.place_in_room(slot.user, entered)

    async def _fools_to_ask(self, entered: Entered) -> Collection[UserRef]:
        """Returns the fools to ask now: not at night, and only after the room's message was posted."""
        now = self._core.now()
        is_posted = await self._core.message_index.message(entry_of(entered.id)) is not None
        local = (await self._core.servers.choices(entered.server)).local_time
        return entered.fools_to_ask(now) if is_posted and not local.is_quiet(now) else ()

    async def screen(self, slot: FeatureSlot) -> Screen | MessageAction:
        """Renders the current state of the games, in the language of the message's reader."""
        entered = await self._cards.store.entered(slot.subject.number)
        if entered is None:
            return MessageAction.KEEP
        if slot.user is None:
            return state_screen(entered, await self._cards.translator_there(entered))

        is_private = slot.part == QUESTION
        is_unasked = await self._core.message_index.message(slot) is None
        if is_private and is_unasked and slot.user not in entered.fools_to_ask(self._core.now()):
            return MessageAction.KEEP  # the fool was asked or answered in the room, or it is too late

        return await self._cards.question(entered, slot.user, self._place_of(slot, entered))

    async def note_shown(self, slot: FeatureSlot, _version: int | None) -> None:
        """Records that a fool was asked privately; other messages need no record."""
        if slot.user is not None:
            await self._cards.note_asked(slot.subject.number, slot.user)

    async def settled(self, subject: Subject, change: int) -> None:
        """Deletes games that were taken back, once all messages show that."""
        await self._cards.store.forget_taken_back(subject.number, change)
