"""Old messages are forgotten by a rule, a few at a time, but never one that a player still sees."""

from dataclasses import replace

from adapters.port import MessageRef
from adapters.web import Draft, Guest
from bot.model.messages import MessageKind, SentMessage, Subject, TableSlot
from bot.model.table import Phase
from bot.storage import Database, MessageSlotStore, SqlGuestStore, TableStore
from tests.bot.storage.samples import ANNA, ROOM, RULES, SEED

ANNA_AT_THE_PAGE = Guest("a1", "Anna", "0" * 64, joined_at=1.5, seen_at=1.5)
SHOWN = SentMessage(MessageRef("telegram", "1"), "digest")


async def shown_games(database: Database, *, phase: Phase, used_at: float, games: int = 3) -> int:
    """Adds a table whose games are all shown somewhere; returns its id."""
    tables, slots = TableStore(database, lambda: used_at), MessageSlotStore(database)
    table = await tables.open(
        room=replace(ROOM, topic=f"{phase} {used_at}"), opener=ANNA, preset="podkidnoy-36", rules=RULES,
        seed=SEED, locale="en",
    )  # fmt: skip
    for game in range(1, games + 1):
        await slots.save(TableSlot(table.id, game, MessageKind.TABLE), SHOWN)

    await tables.save(replace(table, phase=phase, game=games))
    return table.id


async def games_of(database: Database, table_id: int) -> list[int]:
    found = await MessageSlotStore(database).load(Subject.of_table(table_id))
    return sorted(slot.game for slot in found if isinstance(slot, TableSlot))


async def test_of_a_table_in_use_the_messages_of_its_newest_two_games_are_known(database: Database) -> None:
    playing = await shown_games(database, phase=Phase.PLAYING, used_at=10.0)
    assert await MessageSlotStore(database).forget_old(20.0, most=9) == 1
    assert await games_of(database, playing) == [2, 3]
    assert await MessageSlotStore(database).forget_old(20.0, most=9) == 0


async def test_the_messages_of_a_table_out_of_use_are_forgotten_after_a_while(database: Database) -> None:
    over = await shown_games(database, phase=Phase.OVER, used_at=10.0, games=2)
    closed = await shown_games(database, phase=Phase.CLOSED, used_at=10.0, games=1)
    recent = await shown_games(database, phase=Phase.OVER, used_at=20.0, games=2)
    while await MessageSlotStore(database).forget_old(20.0, most=1):
        pass

    assert [await games_of(database, table) for table in (over, closed, recent)] == [[], [], [1, 2]]


async def said(store: SqlGuestStore, text: str, guest: str | None = None, *, buttons: bool = False) -> int:
    content = {"text": text, "rows": [[{"label": "Join"}]] if buttons else []}
    message = await store.add_message(Draft("den", guest, "post", content, 1.0), {"picture": b"png"})
    return message.id


async def left(store: SqlGuestStore) -> list[str]:
    return [message.content["text"] for message in await store.messages(0, 99)]


async def test_of_a_room_of_the_page_the_newest_stay_and_some_with_buttons(database: Database) -> None:
    store = SqlGuestStore(database)
    await store.add_guest(ANNA_AT_THE_PAGE)
    first = await said(store, "old table", buttons=True)
    await said(store, "older table", buttons=True)
    for number in range(5):
        await said(store, f"said {number}")
        await said(store, f"hand {number}", "a1", buttons=True)

    for _ in range(9):
        await store.forget_messages(public=3, pressable=1, private=2, most=2)

    assert await left(store) == ["older table", "said 2", "said 3", "hand 3", "said 4", "hand 4"]
    assert await store.file(first, "picture") is None


async def test_a_few_messages_are_forgotten_at_a_time(database: Database) -> None:
    store = SqlGuestStore(database)
    for number in range(5):
        await said(store, f"said {number}")

    keep = {"public": 1, "pressable": 1, "private": 1}
    assert [await store.forget_messages(**keep, most=3) for _ in range(3)] == [3, 1, 0]
    assert await left(store) == ["said 4"]


async def test_a_message_without_any_buttons_to_name_is_old_like_others(database: Database) -> None:
    store = SqlGuestStore(database)
    await store.add_message(Draft("den", None, "chat", {"text": "hello"}, 1.0), {})
    await said(store, "newer")
    assert await store.forget_messages(public=1, pressable=1, private=1, most=9) == 1
