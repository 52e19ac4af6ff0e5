"""What is shown of a table is found without a look at what is shown of all others."""

from adapters.port import Everyone, Only
from bot.delivery.messages import WatchedSlots
from bot.model.messages import MessageKind, MessageSlot
from tests.bot.calls import calls
from tests.bot.chat import PLATFORM, ROOM, person

ANNA = person("Anna").ref


def public(table_id: int) -> MessageSlot:
    return MessageSlot(table_id, 1, MessageKind.TABLE)


def hand(table_id: int) -> MessageSlot:
    return MessageSlot(table_id, 1, MessageKind.HAND, ANNA)


def watching(tables: int) -> WatchedSlots:
    slots = WatchedSlots()
    for number in range(1, tables + 1):
        slots.watch({public(number): Everyone(ROOM), hand(number): Only(ANNA, ROOM)}, served={PLATFORM})
    return slots


def test_a_table_that_is_dropped_says_who_has_seen_it_and_leaves_the_others() -> None:
    slots = watching(2)
    slots.renewed.update((public(1), public(2)))
    slots.refused.update({hand(1): "digest", hand(2): "digest"})
    assert set(slots.drop_table(1)) == {Everyone(ROOM), Only(ANNA, ROOM)}
    assert public(1) not in slots
    assert slots[public(2)] == Everyone(ROOM)
    assert slots.renewed == {public(2)}
    assert slots.refused == {hand(2): "digest"}
    assert slots.drop_table(1) == set()


def test_what_a_person_sees_alone_is_dropped_at_all_tables() -> None:
    slots = watching(2)
    slots.drop_reader(ANNA)
    assert [slots.get(slot) for slot in (hand(1), hand(2))] == [None, None]
    assert list(slots.seen_in(ROOM)) == [public(1), public(2)]


def test_among_many_tables_one_is_dropped_as_quickly_as_among_few() -> None:
    few, many = watching(10), watching(1000)
    assert calls(lambda: few.drop_table(5)) == calls(lambda: many.drop_table(5))
