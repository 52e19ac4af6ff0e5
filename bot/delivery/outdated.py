"""The list on disk of features' subjects with outdated messages, so that a kill loses no update."""

from collections.abc import Collection, Mapping
from itertools import islice
from typing import Any

import structlog

from bot.cache import LIMITS
from bot.delivery.messages import MessageIndex
from bot.model.messages import TABLE, ScreenSource, Subject
from bot.storage import MessageSlotStore

log = structlog.get_logger()


class OutdatedSubjects:
    """Removes subjects of features from the list on disk once their messages are up to date.

    Tables are not listed; each has its own time at which it is checked.
    """

    def __init__(
        self,
        store: MessageSlotStore,
        messages: MessageIndex,
        screens: Mapping[str, ScreenSource[Any]],
    ) -> None:
        self._store = store
        self._messages = messages
        self._screens = screens
        self._being_shown: dict[Subject, int] = {}  # the number of the change being shown
        self._shown: dict[Subject, None] = {}  # the subjects in memory, the newest last

    async def on_disk(self) -> Collection[Subject]:
        """Returns the subjects whose messages may be out of date."""
        return [subject for subject in await self._store.outdated() if subject.kind in self._screens]

    async def note_being_shown(self, subject: Subject) -> None:
        """Notes which change of a feature's subject is about to be shown."""
        if subject.kind != TABLE:
            self._being_shown[subject] = await self._store.newest_change(subject)

    def forget(self, subject: Subject) -> None:
        """Drops a subject that was evicted from memory."""
        self._being_shown.pop(subject, None)
        self._shown.pop(subject, None)

    async def take_off(self) -> Collection[Subject]:
        """Removes the subjects whose messages are up to date; returns those to evict from memory."""
        for subject, change in list(self._being_shown.items()):
            is_being_shown = self._being_shown.get(subject) == change  # otherwise another queue removed it
            if not is_being_shown or self._messages.about(subject).is_dirty:
                continue

            del self._being_shown[subject]
            try:
                await self._screens[subject.kind].settled(subject, change)
                await self._store.note_shown(subject, change)
            except Exception:
                log.exception("not_noted_as_shown", **{subject.kind: subject.number})

            self._shown.pop(subject, None)
            self._shown[subject] = None

        surplus = max(0, len(self._shown) - LIMITS.known)
        oldest = list(islice(self._shown, surplus))
        return [subject for subject in oldest if not self._messages.about(subject).is_dirty]
