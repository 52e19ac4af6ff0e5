"""The part of games with real cards: notices to their fools, and the languages of their messages."""

from functools import partial

from adapters.port import Everyone, Press, Screen, ServerRef, UserRef
from bot.features.real_cards.buttons import ChangeCardGames
from bot.features.real_cards.model import CARD_GAMES, Entered, entry_of, room_question_to
from bot.features.real_cards.screens import question_screen
from bot.features.real_cards.store import CardGameStore
from bot.handlers.event import Services
from bot.locale import Translator
from bot.model.messages import OnlyInRoom, Place, Subject


class RealCards:
    """Schedules messages about games with real cards, and notices to fools whom the bot cannot write to."""

    def __init__(self, store: CardGameStore, core: Services) -> None:
        self.store = store
        self.core = core

    def show(self, number: int) -> None:
        """Schedules updates of all messages about an entry."""
        self.core.outbox.mark_dirty(Subject(CARD_GAMES, number))

    # --- notices to fools -----------------------------------------------------------------------------------

    async def load(self) -> None:
        """Loads the fools who were not notified, to ask them at their next press."""
        for user, server, number in await self.store.unnotified(self.core.now()):
            self.wait_for(user, server, number)

    def wait_for(self, fool: UserRef, server: ServerRef, number: int) -> None:
        """Asks a fool at their next press on a server, as the bot cannot write to them."""
        ask = partial(self._ask_in_room, number)
        self.core.waiting_notices.wait(fool, server, (ChangeCardGames, number), ask)

    async def _ask_in_room(self, number: int, press: Press) -> Screen | None:
        """Renders the question to a fool for the answer to their press; None if it is no longer needed."""
        entered = await self.store.entered(number)
        fool = press.user.ref
        if entered is None or entered.taken_back_by is not None:
            return None

        place = self.place_in_room(fool, entered)
        self.core.answers.expect_ephemeral(press.id, room_question_to(fool, number), place)
        await self.set_notified(fool, entered)

        return await self.question(entered, fool, place)

    async def question(self, entered: Entered, fool: UserRef, place: Place) -> Screen:
        """Renders the question to a fool at a place, in the fool's language."""
        post = await self.core.message_index.message(entry_of(entered.id))
        translator = await self.translator_of(fool, entered)
        is_public = isinstance(place.reader, Everyone)
        return question_screen(entered, fool, post, translator, is_in_room=is_public)

    def place_in_room(self, fool: UserRef, entered: Entered) -> Place:
        """Returns the place of a question in the room: for the fool alone if the chat can."""
        can_show_alone = self.core.chats[fool.platform].limits.shows_alone
        return Place(OnlyInRoom(fool, entered.room) if can_show_alone else Everyone(entered.room))

    async def note_asked(self, number: int, fool: UserRef) -> None:
        """Records that a fool was asked, if that was not recorded yet."""
        entered = await self.store.entered(number)
        if entered is not None and any(user.ref == fool for user in entered.unnotified):
            await self.set_notified(fool, entered)

    async def set_notified(self, fool: UserRef, entered: Entered) -> None:
        """Records that a fool was notified, and drops their waiting notice."""
        self.core.waiting_notices.drop(fool, entered.server, (ChangeCardGames, entered.id))
        await self.store.set_notified(entered.id, fool, self.core.now())

    # --- languages ------------------------------------------------------------------------------------------

    async def translator_there(self, entered: Entered) -> Translator:
        """Returns the translator of the room's message, whose language does not change."""
        if not entered.locale:
            return await self.core.people.translator_in(entered.server, entered.by)
        return self.core.people.translator(entered.locale, entered.server.platform)

    async def translator_of(self, fool: UserRef, entered: Entered) -> Translator:
        """Returns the translator for a fool; that of the room's message if their language is unknown."""
        if not await self.core.people.language(fool):
            return await self.translator_there(entered)
        return await self.core.people.translator_for(fool)
