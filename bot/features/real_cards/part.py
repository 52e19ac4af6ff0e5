"""Games with real cards: the messages that show them, and the notices to their fools."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from adapters.port import Everyone, MessageRef, Only, RoomRef, Screen, ServerRef, Throttled, User, UserRef
from bot.features.real_cards import screens
from bot.features.real_cards.buttons import ChangeCardGames
from bot.features.real_cards.model import Copy, Entered
from bot.features.real_cards.store import CardGameStore
from bot.handlers.event import Services
from bot.locale import Translator
from bot.model.calendar import Appointment

SHOW_AGAIN = "cards_again"  # the kind of appointments that show games again


class RealCards:
    """Keeps games with real cards, and every message that shows some up to date."""

    def __init__(self, store: CardGameStore, core: Services) -> None:
        self.store = store
        self._core = core

    # --- the notices to fools -------------------------------------------------------------------------------

    async def load(self) -> None:
        """Reads the fools without a notice."""
        for user, server, number in await self.store.unnotified(self._core.now()):
            self.wait_for(user, server, number)

    def wait_for(self, user: UserRef, server: ServerRef, number: int) -> None:
        """Waits for a fool's next press on a server, as they cannot be written to."""
        notice = partial(self._notice, number)
        self._core.waiting_notices.wait(user, server, (ChangeCardGames, number), notice)

    async def set_notified(self, user: UserRef, server: ServerRef, number: int) -> None:
        """Records that a fool knows of the games."""
        self._core.waiting_notices.drop(user, server, (ChangeCardGames, number))
        await self.store.set_notified(number, user, self._core.now())

    async def _notice(self, number: int, fool: User) -> Screen | None:
        """Renders the notice that a fool could not get in private; None where the games were taken back."""
        await self.store.set_notified(number, fool.ref, self._core.now())
        entered = await self.store.entered(number)
        if entered is None:
            return None

        post = await self.store.post_of(number)
        chat = self._core.chats[fool.ref.platform]
        return screens.fool_notice_screen(
            entered,
            fool,
            None if post is None else post[1],
            await self._core.people.translator_for(fool.ref),
            is_in_room=not chat.limits.ephemeral_answers,
        )

    # --- the messages that show games -----------------------------------------------------------------------

    async def answer_shown(
        self, button: ChangeCardGames, room: RoomRef, message: MessageRef, reader: UserRef | None
    ) -> None:
        """Keeps the message that shows games to a room, or asks their fool there."""
        if reader is None:
            await self.store.note_post(button.number, room, message)
        else:
            await self.store.note_question(button.number, Copy(room, message, reader))

    async def before_forgetting(self, user: UserRef) -> Callable[[], Awaitable[None]]:
        """Looks up the games whose messages name a person; the result shows them again."""
        numbers = await self.store.posts_about(user)

        async def show() -> None:
            for number in numbers:
                await self.show_again(number)

        return show

    async def show_again(self, number: int, *, pressed: MessageRef | None = None) -> None:
        """Shows games as they are now wherever they are shown, but not in a message that was pressed.

        Names in it may have been forgotten, or somebody may have agreed elsewhere.
        """
        entered = await self.store.entered(number)
        if entered is None:
            return

        copies = await self.store.copies(number)
        post = next((copy.message for copy in copies if copy.fool is None), None)
        limits = self._core.chats[entered.server.platform].limits

        pauses = list[float]()
        for copy in copies:
            is_in_room = not (copy.is_private or limits.ephemeral_answers)
            draw = partial(_question_or_state, entered, copy.fool, post, is_in_room=is_in_room)
            pauses += await self.redraw([copy], draw, entered, pressed=pressed)

        if pauses:
            again = self._core.now() + max(pauses)
            await self._core.calendar.put(Appointment(entered.server, SHOW_AGAIN, again, str(number)))

    async def redraw(
        self,
        copies: Sequence[Copy],
        draw: Callable[[Translator], Screen],
        entered: Entered,
        *,
        pressed: MessageRef | None,
    ) -> Sequence[float]:
        """Renders messages about games anew, each in the language of its reader.

        Returns the seconds after which those can be tried again that a chat took no edit of.
        """
        pauses = list[float]()
        for copy in copies:
            if copy.message == pressed:
                continue

            if copy.fool is None:
                translator = await self.translator_there(entered)
            else:
                translator = await self.translator_of(copy.fool, entered)

            reader: Only | Everyone = Everyone(copy.room)
            if copy.is_private and copy.fool is not None:
                reader = Only(copy.fool, copy.room)

            delivery = await self._core.announcements.edit(reader, copy.message, draw(translator))
            if isinstance(delivery, Throttled):
                pauses.append(delivery.retry_after)

        return pauses

    async def translator_there(self, entered: Entered) -> Translator:
        """Returns the translator of the message with the games: in the language of their author."""
        return await self._core.people.translator_in(entered.server, entered.by)

    async def translator_of(self, fool: UserRef, entered: Entered) -> Translator:
        """Returns the translator for a fool, whose language nobody may know yet."""
        if not await self._core.people.language(fool):
            return await self.translator_there(entered)
        return await self._core.people.translator_for(fool)


def _question_or_state(
    entered: Entered,
    fool: UserRef | None,
    post: MessageRef | None,
    translator: Translator,
    *,
    is_in_room: bool,
) -> Screen:
    """Renders games for their room, or the question to a fool until they have agreed."""
    asked = next((user for user, _ in entered.fools if user.ref == fool), None)
    if asked is None or asked.ref in entered.confirmed_by:
        return screens.entered_screen(entered, translator)
    return screens.fool_notice_screen(entered, asked, post, translator, is_in_room=is_in_room)
