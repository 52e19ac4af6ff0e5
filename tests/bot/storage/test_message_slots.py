"""Records of the messages of slots are stored together, or fail with an error for every caller."""

import asyncio

import pytest
from sqlalchemy.exc import IntegrityError

from adapters.port import MessageRef
from bot.model.messages import MessageKind, PendingMessage, SentMessage, Subject, TableSlot
from bot.storage import Database, MessageSlotStore, PlayerStore
from bot.storage.messages import MOST_AT_ONCE
from tests.bot.statements import counted
from tests.bot.storage.samples import open_table, person

PEOPLE = [person(number) for number in range(1, 9)]


def shown(number: int) -> SentMessage:
    return SentMessage(MessageRef("telegram", str(number)), f"digest {number}")


async def hands(database: Database) -> list[TableSlot]:
    """Returns the slots of some recorded people's hands at one table."""
    table = await open_table(database)
    for user in PEOPLE:
        await PlayerStore(database).remember(user)
    return [TableSlot(table.id, 1, MessageKind.HAND, user.ref) for user in PEOPLE]


async def test_what_changes_at_the_same_moment_is_written_in_one_transaction(database: Database) -> None:
    slots, store = await hands(database), MessageSlotStore(database)
    await store.save(slots[0], shown(0))
    posting = PendingMessage("key", "digest")
    with counted() as statements:
        await asyncio.gather(
            store.drop(slots[0]),
            store.save(slots[1], posting),
            *[store.save(slot, shown(number)) for number, slot in enumerate(slots[2:])],
        )

    assert statements.commits == 1
    expected = {slots[1]: posting} | {slot: shown(number) for number, slot in enumerate(slots[2:])}
    assert await MessageSlotStore(database).load(slots[0].subject) == expected


async def test_whoever_has_waited_finds_it_on_disk(database: Database) -> None:
    slots, store, other = await hands(database), MessageSlotStore(database), MessageSlotStore(database)

    async def save_and_look(number: int) -> None:
        await asyncio.sleep(number / 2000)
        await store.save(slots[number], shown(number))
        assert (await other.load(slots[number].subject))[slots[number]] == shown(number)

    await asyncio.gather(*[save_and_look(number) for number in range(len(slots))])


async def test_the_newest_note_stays(database: Database) -> None:
    (slot, *_), store = await hands(database), MessageSlotStore(database)
    await asyncio.gather(store.save(slot, shown(1)), store.drop(slot), store.save(slot, shown(2)))
    assert await MessageSlotStore(database).load(slot.subject) == {slot: shown(2)}
    await asyncio.gather(store.save(slot, shown(3)), store.drop(slot))
    assert await MessageSlotStore(database).load(slot.subject) == {}


async def test_what_is_not_on_disk_yet_is_known(database: Database) -> None:
    (slot, *_), store = await hands(database), MessageSlotStore(database)
    saving = asyncio.ensure_future(store.save(slot, shown(1)))
    await asyncio.sleep(0)
    assert await store.load(slot.subject) == {slot: shown(1)}
    await saving


@pytest.mark.parametrize("turns", range(0, 60, 3))
async def test_who_is_cancelled_takes_nobody_along(database: Database, turns: int) -> None:
    slots, store = await hands(database), MessageSlotStore(database)
    saving = [asyncio.ensure_future(store.save(slot, shown(number))) for number, slot in enumerate(slots)]
    for _ in range(turns):
        await asyncio.sleep(0)

    saving[0].cancel()
    await asyncio.gather(*saving, return_exceptions=True)
    found = await MessageSlotStore(database).load(slots[0].subject)
    assert {slot: shown(number) for number, slot in enumerate(slots) if number} == {
        slot: seen for slot, seen in found.items() if slot != slots[0]
    }


async def test_what_cannot_be_written_stands_in_nobody_elses_way_for_long(database: Database) -> None:
    (slot, *_), store = await hands(database), MessageSlotStore(database)
    nowhere = TableSlot(999, 1, MessageKind.HAND, PEOPLE[0].ref)
    with pytest.raises(IntegrityError):
        await store.save(nowhere, shown(1))

    await store.save(slot, shown(2))
    first, second = await asyncio.gather(
        store.save(nowhere, shown(3)), store.save(slot, shown(4)), return_exceptions=True
    )
    assert isinstance(first, IntegrityError)
    assert second is None
    assert await MessageSlotStore(database).load(slot.subject) == {slot: shown(4)}


async def test_messages_of_the_same_moment_are_one_statement(database: Database) -> None:
    store = MessageSlotStore(database)
    table = await open_table(database)
    slots = [TableSlot(table.id, game, MessageKind.TABLE) for game in range(1, MOST_AT_ONCE + 2)]
    with counted() as statements:
        await asyncio.gather(*[store.save(slot, shown(slot.game)) for slot in slots])

    written = [each for each in statements.executed if each.startswith("INSERT INTO message_slot")]
    assert len(written) == 2  # as many as fit, and the rest
    assert await store.load(Subject.of_table(table.id)) == {slot: shown(slot.game) for slot in slots}
