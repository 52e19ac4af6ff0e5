"""The messages of a table are found without a scan of all others."""

from collections.abc import Sequence

import pytest

from adapters.port import Everyone, MessageRef, Only
from bot.delivery.messages import Message, MessageIndex
from bot.delivery.state import Placed, Renewed
from bot.model.messages import MessageKind, Place, Subject, TableSlot
from bot.storage import Database, MessageSlotStore
from tests.bot.calls import calls
from tests.bot.chat import PLATFORM, ROOM, person

ANNA = person("Anna").ref


def public(table_id: int) -> TableSlot:
    return TableSlot(table_id, 1, MessageKind.TABLE)


def hand(table_id: int) -> TableSlot:
    return TableSlot(table_id, 1, MessageKind.HAND, ANNA)


@pytest.fixture
def store(database: Database) -> MessageSlotStore:
    return MessageSlotStore(database)


def watching(store: MessageSlotStore, tables: int) -> MessageIndex:
    index = MessageIndex(store)
    for number in range(1, tables + 1):
        index.record(public(number)).note(Placed(Place(Everyone(ROOM))))
        index.record(hand(number)).note(Placed(Place(Only(ANNA, ROOM))))
    return index


def watched(index: MessageIndex) -> Sequence[Message]:
    return [message for message in index if message.reader is not None]


def test_a_table_that_is_evicted_says_who_has_seen_it_and_leaves_the_others(store: MessageSlotStore) -> None:
    index = watching(store, 2)
    evicted = index.record(public(1))
    other = index.record(public(2))
    for message in (evicted, other):
        message.note(Renewed())

    assert set(index.evict(Subject.of_table(1))) == {Everyone(ROOM), Only(ANNA, ROOM)}
    assert evicted.reader is None
    assert index.record(public(2)) is other
    assert other.reader == Everyone(ROOM)
    assert [message.slot for message in index if message.state.wanted.is_renewed] == [public(2)]
    assert set(index.evict(Subject.of_table(1))) == set()


def test_what_a_person_sees_alone_is_dropped_at_all_tables(store: MessageSlotStore) -> None:
    index = watching(store, 2)
    hands = [index.record(hand(number)) for number in (1, 2)]
    index.forget(ANNA)
    assert [message.reader for message in hands] == [None, None]
    assert [message.slot for message in watched(index)] == [public(1), public(2)]
    assert [message.slot for message in index.seen_in(ROOM)] == [public(1), public(2)]


def test_among_many_tables_one_is_evicted_as_quickly_as_among_few(store: MessageSlotStore) -> None:
    few = watching(store, 10)
    many = watching(store, 1000)
    assert calls(lambda: few.evict(Subject.of_table(5))) == calls(lambda: many.evict(Subject.of_table(5)))


async def test_a_button_that_was_made_up_leaves_nothing_in_memory(store: MessageSlotStore) -> None:
    index = MessageIndex(store)
    assert await index.slot_in(MessageRef(PLATFORM, "1"), Subject.of_table(4711)) is None
    assert list(vars(index)["_subjects"]) == []
