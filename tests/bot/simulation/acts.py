"""The actions of people, of their chats and of the owner of the bot."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from adapters.port import CallbackButton, MessageRef, Reply, RoomRef, User
from bot.features.cups.buttons import ChangeCup
from bot.features.real_cards.buttons import ChangeCardGames
from bot.model.buttons import decode
from bot.process.old_moves import forget
from bot.storage import DatabaseUnreachableError, OldMoveStore
from tests.bot.chat import own_room
from tests.bot.simulation.faults import BrokenLineError
from tests.bot.simulation.story import REGULARS, Deed, Step, Trouble
from tests.bot.views import Watcher

if TYPE_CHECKING:
    from tests.bot.simulation.stage import Stage

Offer = Sequence[tuple[MessageRef, CallbackButton]]  # buttons, and the messages on which they hang


class Acts:
    """Makes people act, as far as their chat allows.

    Attributes:
        watchers: The people who have the live table of their room open.
        blocking: The people who block the bot.
        without_bot: The rooms from which the bot was removed, by their newest ids.
        deleted: The messages that people deleted.
    """

    def __init__(self, stage: "Stage") -> None:
        self._stage = stage
        self._chat = stage.chat

        self.watchers: dict[User, Watcher] = {}
        self.blocking: set[User] = set()
        self.without_bot: set[RoomRef] = set()
        self.deleted: set[MessageRef] = set()

        self._deeds: Mapping[Deed, Callable[[Step], Awaitable[None]]] = {
            Deed.PLAYS: self._play,
            Deed.PRESSES: self._press,
            Deed.ANSWERS: self._answer,
            Deed.TYPES: self._type,
            Deed.ENTERS_GAME: self._type,
            Deed.DELETES: self._delete,
            Deed.IS_FORGOTTEN: self._ask_to_be_forgotten,
            Deed.WAITS: self._wait,
            Deed.WATCHES: self._open_or_close_view,
            Deed.PRESSES_IN_VIEW: self._press_in_view,
            Deed.OPENS_PRIVATE_CHAT: self._open_private_chat,
            Deed.LEAVES_OR_JOINS: self._leave_or_join,
            Deed.BLOCKS_OR_UNBLOCKS: self._block_or_unblock,
            Deed.REMOVES_OR_ADDS_BOT: self._remove_or_add_bot,
            Deed.MOVES_ROOM: self._move_room,
            Deed.DROPS_OLD_MOVES: self._drop_old_moves,
        }

    async def do(self, step: Step) -> None:
        """Performs somebody's action."""
        with suppress(BrokenLineError):  # the answer was lost on its way
            await self._deeds[step.deed](step)

    async def press_one(self, user: User, offered: Offer, choice: int) -> None:
        """Makes somebody press one of these buttons, if there are any."""
        if not offered:
            return

        self._hear_of(user)
        ref, button = offered[choice % len(offered)]
        await self._answered(user, button.token, partial(self._chat.presses_token, user, ref, button.token))

    async def _answered(self, user: User, token: str, press: Callable[[], Awaitable[Reply]]) -> Reply:
        """Makes somebody press a button, and checks that nothing happens if it is outdated."""
        promises = self._stage.promises
        promises.note_press(token)
        is_outdated = await promises.is_outdated(user, token)

        reply = await press()
        assert not is_outdated or reply.toast is not None, f"an outdated button still works: {token}"
        return reply

    async def come_back(self) -> None:
        """Brings people and the bot back to where they were at the beginning, and closes all views."""
        for watcher in self.watchers.values():
            await watcher.closes()

        self.watchers.clear()
        self._chat.strangers.clear()

        for user in sorted(self.blocking, key=lambda user: user.name):
            await self._unblock(user)

        for room in sorted(self.without_bot, key=str):
            await self._add_bot(room)

    # --- presses and commands ---------------------------------------------------------------------------

    async def _play(self, step: Step) -> None:
        """Makes the named person press a move, or somebody else if they have none."""
        stage = self._stage
        people = [step.user, *REGULARS[step.room]]
        user = next((each for each in people if stage.moves_of(each)), step.user)

        room = self._chat.current(step.room)
        offered = stage.moves_of(user) or stage.buttons_of(user, room)
        await self.press_one(user, offered, step.choice)

    async def _press(self, step: Step) -> None:
        offered = self._stage.buttons_of(step.user, self._chat.current(step.room))
        named = [(ref, button) for ref, button in offered if button.label.startswith(step.words)]
        await self.press_one(step.user, named, step.choice)

    async def _answer(self, step: Step) -> None:
        """Makes somebody press a button under a cup or under a game with real cards."""
        offered = self._stage.buttons_of(step.user, self._chat.current(step.room))
        await self.press_one(step.user, list(filter(_is_of_feature, offered)), step.choice)

    async def _delete(self, step: Step) -> None:
        """Makes somebody delete a message about a cup or a game with real cards."""
        offered = self._stage.buttons_of(step.user, self._chat.current(step.room))
        refs = list(dict.fromkeys(ref for ref, _ in filter(_is_of_feature, offered)))
        if not refs:
            return

        ref = refs[step.choice % len(refs)]
        self._chat.forget(ref)
        self.deleted.add(ref)

    async def _type(self, step: Step) -> None:
        """Makes somebody type a command, which may name others."""
        room = self._chat.current(step.room)
        is_away = step.user.ref in self._chat.strangers
        if is_away or room in self.without_bot:
            return

        words = step.words.split()
        named = tuple(user for user in REGULARS[step.room] if f"@{user.name}" in words)
        for user in (step.user, *named):
            self._hear_of(user)

        await self._chat.types(step.user, step.words, room, named)

    async def _wait(self, step: Step) -> None:
        """Does nothing."""

    # --- coming and going ----------------------------------------------------------------------------

    async def _ask_to_be_forgotten(self, step: Step) -> None:
        user = step.user
        room = self._chat.current(step.room)
        is_away = user.ref in self._chat.strangers
        if is_away or room in self.without_bot:
            room = own_room(user)

        self._hear_of(user)
        reply = await self._chat.types(user, "/forgetme yes", room)

        if step.trouble is Trouble.NONE and not reply.refusal:
            self._stage.promises.forgotten.add(user)

    def _hear_of(self, user: User) -> None:
        """Notes that a forgotten person may be on record again."""
        self._stage.promises.forgotten.discard(user)

    async def _open_private_chat(self, step: Step) -> None:
        self._hear_of(step.user)
        await self._chat.opens_private(step.user, self._chat.current(step.room))

    async def _leave_or_join(self, step: Step) -> None:
        """Makes somebody leave the chat of their room, or come back."""
        self._chat.strangers ^= {step.user.ref}

    async def _block_or_unblock(self, step: Step) -> None:
        """Makes somebody block or unblock the bot; the chat reports it."""
        user = step.user
        if user in self.blocking:
            await self._unblock(user)
            return

        self.blocking.add(user)
        self._chat.closed.add(user.ref)
        await self._stage.inbox.became_unreachable(user.ref)

    async def _unblock(self, user: User) -> None:
        self.blocking.discard(user)
        self._chat.closed.discard(user.ref)
        await self._stage.inbox.became_reachable(user.ref)

    # --- views of the live table ------------------------------------------------------------------------

    async def _open_or_close_view(self, step: Step) -> None:
        """Makes somebody open or close the live table of their room on a page of the bot."""
        user = step.user
        watcher = self.watchers.pop(user, None)
        if watcher is not None:
            await watcher.closes()
            return

        table = await self._stage.app.tables.near(user.ref, self._chat.current(step.room))
        if table is not None:
            self._hear_of(user)
            self.watchers[user] = await Watcher.opens(self._stage, table, user)

    async def _press_in_view(self, step: Step) -> None:
        """Makes somebody press a button of the live table that they have open."""
        watcher = self.watchers.get(step.user)
        if watcher is None or not watcher.is_open or not watcher.seen:
            return

        offered = [(message, button) for message, buttons in watcher.buttons.items() for button in buttons]
        if not offered:
            return

        self._hear_of(step.user)
        message, button = offered[step.choice % len(offered)]
        reply = await self._answered(step.user, button.token, partial(watcher.presses, button.token, message))
        self._stage.promises.note_answer(button.token, reply)

    # --- rooms, and the owner of the bot ----------------------------------------------------------------

    async def _remove_or_add_bot(self, step: Step) -> None:
        """Removes the bot from a room, or adds it again; the chat reports it."""
        room = self._chat.current(step.room)
        if room in self.without_bot:
            await self._add_bot(room)
            return

        self.without_bot.add(room)
        self._chat.banned.add(room)
        await self._stage.inbox.became_unreachable(room)

    async def _add_bot(self, room: RoomRef) -> None:
        self.without_bot.discard(room)
        self._chat.banned.discard(room)
        await self._stage.inbox.became_reachable(room)
        await self._stage.inbox.greet(room, "en")

    async def _move_room(self, step: Step) -> None:
        room = self._chat.current(step.room)
        if room not in self.without_bot:
            await self._chat.move(step.room)

    async def _drop_old_moves(self, step: Step) -> None:
        """Drops the moves of all finished games, as the owner may."""
        stage = self._stage
        await stage.promises.moves_are_in_the_journal()
        with suppress(DatabaseUnreachableError):  # it is done in the next night
            await forget(OldMoveStore(stage.database), stage.clock.now(), pause=0.0)


def _is_of_feature(offered: tuple[MessageRef, CallbackButton]) -> bool:
    _, button = offered
    return isinstance(decode(button.token), ChangeCup | ChangeCardGames)
