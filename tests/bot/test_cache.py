"""Cached rows are never older than the last change."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from bot.cache import ReadThroughCache
from tests.bot.fake_clock import a_few_turns


class Disk:
    """One value, read and changed on the test's command."""

    def __init__(self) -> None:
        self.value = "old"
        self.reads = 0
        self.is_free = asyncio.Event()
        self.is_free.set()

    async def read(self, _: str) -> str:
        self.reads += 1
        value = self.value
        await self.is_free.wait()
        return value


def written(value: str) -> Callable[[], Awaitable[str]]:
    """Returns a function that writes a value, which takes a turn of the loop."""

    async def write() -> str:
        await asyncio.sleep(0)
        return value

    return write


async def while_it_is_read() -> tuple[Disk, ReadThroughCache[str, str], asyncio.Future[str]]:
    """Begins to read the value of `a` from a disk that is busy until it is released."""
    disk = Disk()
    cache = ReadThroughCache[str, str](disk.read)
    disk.is_free.clear()
    reading = asyncio.ensure_future(cache.get("a"))
    await a_few_turns()
    return disk, cache, reading


async def test_the_disk_is_read_once_until_something_is_forgotten() -> None:
    disk = Disk()
    cache = ReadThroughCache[str, str](disk.read)
    assert [await cache.get("a"), await cache.get("a")] == ["old", "old"]
    disk.value = "new"
    cache.forget("a")
    assert [await cache.get("a"), await cache.get("a")] == ["new", "new"]
    assert disk.reads == 2


async def test_those_who_ask_at_the_same_moment_share_a_read() -> None:
    disk, cache, reading = await while_it_is_read()
    others = [asyncio.ensure_future(cache.get("a")) for _ in range(3)]
    await a_few_turns()
    disk.is_free.set()
    assert await asyncio.gather(reading, *others) == ["old"] * 4
    assert disk.reads == 1


async def test_where_the_one_who_reads_gives_up_another_one_reads() -> None:
    disk, cache, reading = await while_it_is_read()
    others = [asyncio.ensure_future(cache.get("a")) for _ in range(3)]
    await a_few_turns()
    reading.cancel()
    disk.is_free.set()
    assert await asyncio.gather(*others) == ["old"] * 3
    assert disk.reads == 2


async def test_one_who_waits_for_a_read_can_give_up() -> None:
    disk, cache, reading = await while_it_is_read()
    waiting = asyncio.ensure_future(cache.get("a"))
    await a_few_turns()
    waiting.cancel()
    await a_few_turns()
    assert waiting.cancelled()
    disk.is_free.set()
    assert await reading == "old"


async def test_a_read_that_fails_reaches_all_who_wait_and_is_made_again() -> None:
    async def fail(_: str) -> str:
        reads.append("a")
        await asyncio.sleep(0)
        raise OSError

    reads = list[str]()
    cache = ReadThroughCache[str, str](fail)
    for times in (1, 2):
        failures = await asyncio.gather(cache.get("a"), cache.get("a"), return_exceptions=True)
        assert [type(failure) for failure in failures] == [OSError, OSError]
        assert len(reads) == times


async def test_what_was_read_before_a_change_is_not_remembered_after_it() -> None:
    disk, cache, reading = await while_it_is_read()
    disk.value = "new"
    cache.forget("a")
    disk.is_free.set()
    assert await reading == "old"
    assert await cache.get("a") == "new"


async def test_what_was_changed_is_known_unless_two_changed_it_at_the_same_moment() -> None:
    disk = Disk()
    cache = ReadThroughCache[str, str](disk.read)
    assert await cache.change("a", written("new")) == "new"
    assert (await cache.get("a"), disk.reads) == ("new", 0)
    await asyncio.gather(*(cache.change("a", written(value)) for value in ("one", "two")))
    disk.value = "two"
    assert (await cache.get("a"), disk.reads) == ("two", 1)


async def test_what_is_read_while_it_changes_is_not_remembered() -> None:
    disk = Disk()
    cache = ReadThroughCache[str, str](disk.read)

    async def write() -> str:
        disk.is_free.clear()
        reading.append(asyncio.ensure_future(cache.get("a")))
        await a_few_turns()
        return "new"

    reading = list[asyncio.Future[str]]()
    await cache.change("a", write)
    disk.is_free.set()

    assert await reading[0] == "old"
    assert await cache.get("a") == "new"


async def test_what_could_not_be_written_is_read_again() -> None:
    disk = Disk()
    cache = ReadThroughCache[str, str](disk.read)
    await cache.get("a")

    async def fail() -> str:
        disk.value = "half"
        raise OSError

    with pytest.raises(OSError, match=r"^$"):
        await cache.change("a", fail)

    assert await cache.get("a") == "half"


async def test_what_was_written_is_known_and_all_of_it_can_be_forgotten() -> None:
    disk, cache, reading = await while_it_is_read()
    cache.put("a", "written")
    disk.is_free.set()
    assert await reading == "old"
    assert await cache.get("a") == "written"
    cache.forget_all()
    assert await cache.get("a") == "old"


async def test_what_is_read_is_remembered_though_something_else_changes_meanwhile() -> None:
    disk, cache, reading = await while_it_is_read()
    await cache.change("b", written("new"))
    disk.is_free.set()
    assert [await reading, await cache.get("a"), await cache.get("b")] == ["old", "old", "new"]
    assert disk.reads == 1


async def test_a_change_that_is_cancelled_before_it_begins_writes_nothing() -> None:
    cache = ReadThroughCache[str, str](Disk().read)
    changing = asyncio.create_task(cache.change("a", written("new")))
    changing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await changing

    assert await cache.get("a") == "old"
