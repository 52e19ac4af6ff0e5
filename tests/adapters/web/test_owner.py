"""Only a guest with the owner's link may moderate the page."""

import pytest

from adapters.port import RoomRef, ServerRef, UserRef
from tests.adapters.web.client import Company, Visitor
from tests.adapters.web.site import Site


async def moderates(site: Site, visitor: Visitor, room: RoomRef | None = None) -> bool:
    return await site.adapter.is_moderator(UserRef("web", visitor.id), room or site.room)


async def test_a_guest_who_is_alone_in_a_room_does_not_moderate_it(
    site: Site, company: Company, anna: Visitor
) -> None:
    attic = await company.newcomer(site.url.replace("main", "attic"), "Eve")
    assert not await moderates(site, anna)
    assert not await moderates(site, attic, RoomRef(site.room.server, "attic"))


async def test_whoever_shows_the_key_moderates_all_rooms_of_the_page_and_no_others(
    site: Site, anna: Visitor
) -> None:
    status, answer = await anna.shows_key(site.owner_key)
    assert (status, answer) == (200, {})
    assert await moderates(site, anna)
    assert await moderates(site, anna, RoomRef(site.room.server, "attic"))
    assert not await moderates(site, anna, RoomRef(ServerRef("telegram", "1"), "1"))
    assert not await site.adapter.is_moderator(UserRef("telegram", anna.id), site.room)


@pytest.mark.parametrize("key", ["", "wrong", "x" * 500, "ключ"])
async def test_without_the_key_nobody_becomes_the_owner(site: Site, anna: Visitor, key: str) -> None:
    status, answer = await anna.shows_key(key)
    assert (status, answer["error"][:17]) == (403, "This owner's link")
    assert not await moderates(site, anna)


async def test_the_key_is_of_no_use_to_nobody(site: Site, anna: Visitor) -> None:
    anna.secret = "unknown"
    assert (await anna.shows_key(site.owner_key))[0] == 401


async def test_the_owner_stays_the_owner_over_a_restart_and_the_old_key_is_worth_nothing(
    site: Site, company: Company, anna: Visitor
) -> None:
    old = site.owner_key
    await anna.shows_key(old)
    await site.restart()
    assert await moderates(site, anna)
    eve = await company.newcomer(site.url, "Eve")
    assert (await eve.shows_key(old))[0] == 403
    assert not await moderates(site, eve)


async def test_there_is_one_owner_whoever_came_last_by_the_link(
    site: Site, company: Company, anna: Visitor
) -> None:
    boris = await company.newcomer(site.url, "Boris")
    for visitor in (anna, boris):
        await visitor.shows_key(site.owner_key)
    assert [await moderates(site, visitor) for visitor in (anna, boris)] == [False, True]


async def test_nobody_is_told_who_the_owner_is_or_what_the_key_was(
    site: Site, company: Company, anna: Visitor
) -> None:
    boris = await company.newcomer(site.url, "Boris")
    await anna.shows_key(site.owner_key)
    await company.opens(anna.another_page())
    assert not [frame for frame in boris.frames if '"owner":true' in frame or site.owner_key in frame]
