"""The part of cups: changes each cup by one change at a time.

A change is stored together with the appointment of the next step.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from cachetools import LRUCache

from adapters.port import RoomRef, ServerRef, UserRef
from bot.cache import LIMITS, ReadThroughCache
from bot.features.cups.model import CUP, Cup, CupRefusedError
from bot.features.cups.screens import WINS_CUP, season_line
from bot.features.cups.store import CupStore
from bot.handlers.event import Services
from bot.locale import Translator, gettext_noop
from bot.model.messages import Subject
from bot.model.server_choices import OFF, ON
from bot.screens.server_settings import ServerSetting
from bot.screens.text import Line
from engine.runtime import KeyedLocks

BREAK_SECONDS = 30.0  # the pause between the last result of a round and the next round
MAX_CHANGES = 2  # sign-ups and sign-offs of one person within `CHANGES_SECONDS`
CHANGES_SECONDS = 10.0


SETTING = ServerSetting(
    name="cups",
    values=(ON, OFF),
    rank=140,
    label=gettext_noop("🏆 Cup evenings"),
    about=gettext_noop("Whether /cup gathers four to sixteen people for two rounds and a final."),
    example=lambda translator: translator.text(WINS_CUP, name="Anna"),
)


class NoSuchCupError(LookupError):
    """There is no cup with this number."""


class Cups:
    """Opens, changes and caches cups."""

    def __init__(self, store: CupStore, core: Services) -> None:
        self.store = store
        self.core = core
        self._changed_at = LRUCache[tuple[UserRef, int], tuple[float, ...]](LIMITS.known)
        self._over_at = LRUCache[tuple[int, int], float](LIMITS.known)
        self._cups = ReadThroughCache[int, Cup | None](store.get)
        self._locks = KeyedLocks()

    def break_until(self, cup: Cup) -> float:
        """Returns the end of the break after the current round, which must be over.

        The break begins at the first call for this round.
        """
        over_at = self._over_at.setdefault((cup.id, cup.round), self.core.now())
        return over_at + BREAK_SECONDS

    async def open(self, cup: Cup) -> Cup:
        """Opens a cup, or returns the current one of its room."""
        current = await self.store.open(cup, self.core.now())
        self._cups.forget_all()  # the store has deleted the cups that were called off
        self.show(current.id)
        return current

    async def in_room(self, room: RoomRef) -> Cup | None:
        """Returns the current cup of a room; None if there is none."""
        return await self.store.in_room(room)

    async def sign_off(self, user: UserRef, room: RoomRef) -> None:
        """Signs off a person who has left a room from the cups that gather there and in its topics."""
        for number in await self.store.gathering_in(room):
            with suppress(CupRefusedError):  # they have not signed up for this cup
                await self.change(number, lambda cup: cup.leave(user))

    async def get(self, number: int) -> Cup:
        """Returns a cup.

        Raises:
            NoSuchCupError: It never existed, or was called off and deleted.
        """
        cup = await self.find(number)
        if cup is None:
            raise NoSuchCupError(number)
        return cup

    async def get_with_results(self, number: int) -> Cup:
        """Returns a cup with the newest results of its games, bypassing the cache, which misses these.

        Raises:
            NoSuchCupError: There is no such cup.
        """
        self._cups.forget(number)
        return await self.get(number)

    async def find(self, number: int) -> Cup | None:
        """Returns a cup; None if there is none."""
        return await self._cups.get(number)

    def forget(self, user: UserRef) -> None:
        """Drops all cached cups, as a forgotten person may be in some."""
        del user
        self._cups.forget_all()

    def room_moved(self, old: RoomRef, new: RoomRef) -> None:
        """Drops all cached cups, as some may be in the room with the new id."""
        del old, new
        self._cups.forget_all()

    async def in_season(
        self, server: ServerRef, since: float, until: float, translator: Translator
    ) -> Sequence[Line]:
        """Returns a line for each cup that ended in a season, with its winner and fool, the newest first."""
        honours = await self.store.honours(server, since, until)
        return [season_line(winner, fool, translator) for winner, fool in honours]

    def show(self, number: int) -> None:
        """Schedules an update of a cup's messages."""
        self.core.outbox.mark_dirty(Subject(CUP, number))

    def count_change(self, user: UserRef, number: int) -> bool:
        """Counts a person's sign-up or sign-off; returns whether it exceeds the limit."""
        now = self.core.now()
        changed_at = self._changed_at.get((user, number), ())
        recent = tuple(at for at in changed_at if now - at < CHANGES_SECONDS)
        if len(recent) >= MAX_CHANGES:
            return True

        self._changed_at[user, number] = (*recent, now)
        return False

    async def change(self, number: int, change: Callable[[Cup], Cup], *, is_followed_up: bool = False) -> Cup:
        """Changes and stores a cup; returns it as stored, with the numbers of its new tables.

        The next step is scheduled at once, unless the caller follows it up.

        Raises:
            NoSuchCupError: There is no such cup.
            CupRefusedError: The change is impossible; nothing happened.
        """
        async with self._locks[number]:
            before = await self.get(number)
            after = change(before)
            if after == before:
                return before

            save = partial(self._save, before, after, is_followed_up=is_followed_up)
            result = await self._cups.change(number, save)
            assert result is not None

        self.show(number)
        return result

    async def _save(self, before: Cup, after: Cup, *, is_followed_up: bool) -> Cup:
        now = self.core.now()
        cup, tables = await self.store.save(before, after, now, is_followed_up=is_followed_up)
        self.core.tables.add_new(tables)
        return cup
