"""Subjects of features are removed from the list of outdated ones, each exactly once."""

import asyncio
from collections.abc import Mapping

from adapters.port import Screen
from bot.delivery.messages import MessageIndex
from bot.delivery.outdated import OutdatedSubjects
from bot.model.messages import FeatureSlot, MessageAction, Place, ScreenSource, Subject
from bot.storage import Database, MessageSlotStore

CUPS = [Subject("cup", number) for number in (1, 2, 3)]


class Source(ScreenSource[FeatureSlot]):
    """Shows nothing, and takes a moment to record that it is shown."""

    def __init__(self) -> None:
        self.settled_subjects: list[Subject] = []

    async def places(self, subject: Subject) -> Mapping[FeatureSlot, Place]:
        return {}

    async def screen(self, slot: FeatureSlot) -> Screen | MessageAction:
        return MessageAction.KEEP

    async def settled(self, subject: Subject, change: int) -> None:
        self.settled_subjects.append(subject)
        await asyncio.sleep(0)


async def test_two_chats_that_are_done_at_once_take_everything_off_once(database: Database) -> None:
    store = MessageSlotStore(database)
    index = MessageIndex(store)
    source = Source()
    outdated = OutdatedSubjects(store, index, {"cup": source})
    for cup in CUPS:
        await index.of(cup)
        await outdated.note_being_shown(cup)

    await asyncio.gather(outdated.take_off(), outdated.take_off())
    assert sorted(cup.number for cup in source.settled_subjects) == [1, 2, 3]
