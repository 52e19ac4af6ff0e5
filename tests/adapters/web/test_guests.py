"""Guests join the page, expire, and return by their link."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from aiohttp import ClientSession, CookieJar

from adapters.web.sessions import AWAY_SECONDS, KEPT_SECONDS
from tests.adapters.web.client import Company, Visitor, visitors
from tests.adapters.web.site import Site, web_site

MOST = 4
HOUR = 60 * 60.0


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    async with web_site(most_newcomers=MOST) as site:
        site.monotonic = 0.0
        yield site


async def passes_by(company: Company, site: Site, name: str) -> Visitor:
    """Lets a guest in without opening a page for them."""
    visitor = Visitor(company.session, site.url)
    await visitor.come_in(name)
    return visitor


async def fill(company: Company, site: Site) -> None:
    while await site.store.count_newcomers() < MOST:
        await passes_by(company, site, "Eve")


async def is_known(visitor: Visitor) -> bool:
    return (await visitor.send("lines", {"text": "hello"}))[0] == 200


async def test_one_address_brings_a_company_at_once_and_then_one_by_one() -> None:
    async with web_site() as site, visitors() as company, visitors("127.0.0.2") as others:
        site.monotonic = 0.0
        eve = Visitor(company.session, site.url)
        answers = [await eve.send("guests", {"name": "Eve"}) for _ in range(31)]
        assert [status for status, _ in answers] == [201] * 30 + [429]
        assert answers[-1][1] == {"error": "Not so fast, please: try again in 10 seconds."}
        assert (await Visitor(others.session, site.url).send("guests", {"name": "Anna"}))[0] == 201

        site.monotonic = 10.0
        assert [(await eve.send("guests", {"name": "Eve"}))[0] for _ in range(2)] == [201, 429]


async def test_while_everybody_was_there_just_now_nobody_has_to_go(
    site: Site, company: Company, anna: Visitor
) -> None:
    await fill(company, site)
    status, answer = await anna.send("guests", {"name": "Boris"})
    assert (status, answer["error"]) == (
        409,
        "There's no room for more guests right now: please try again in a few minutes.",
    )


async def test_a_page_full_of_names_lets_newcomers_in(site: Site, company: Company, anna: Visitor) -> None:
    """The guest who has been away longest goes; a guest with the page open stays."""
    first = await passes_by(company, site, "First")
    site.now += 1
    await fill(company, site)
    site.now += AWAY_SECONDS

    for number in range(2 * MOST):
        await passes_by(company, site, f"Guest {number}")
        assert await site.store.count_newcomers() == MOST
        assert not await is_known(first)
        site.now += AWAY_SECONDS

    assert await is_known(anna)


async def test_who_played_and_who_owns_the_page_is_not_counted_and_never_let_go(
    site: Site, company: Company
) -> None:
    guests = [await passes_by(company, site, name) for name in ("Anna", "Boris")]
    await guests[0].shows_key(site.owner_key)
    site.store.at_tables.add(guests[1].id)
    await fill(company, site)

    site.now += 400 * 24 * HOUR
    await passes_by(company, site, "Eve")
    await site.adapter.tidy()

    assert len(await site.store.guests()) == 3
    assert [await is_known(guest) for guest in guests] == [True, True]


async def test_newcomers_are_let_go_when_they_were_not_there_for_a_day(
    site: Site, company: Company, anna: Visitor
) -> None:
    boris, clara = [await passes_by(company, site, name) for name in ("Boris", "Clara")]
    site.now += KEPT_SECONDS - HOUR
    assert await is_known(clara)
    site.now += HOUR
    await site.adapter.tidy()
    assert [await is_known(guest) for guest in (anna, boris, clara)] == [True, False, True]
    assert (await boris.send("lines", {"text": "hello"}))[0] == 401


async def test_the_time_away_begins_when_the_page_is_closed(
    site: Site, company: Company, anna: Visitor
) -> None:
    for _ in range(3):
        site.now += KEPT_SECONDS
        await site.adapter.tidy()

    company.leave(anna)
    site.now += KEPT_SECONDS - HOUR
    await site.restart()
    await site.adapter.tidy()
    assert await is_known(anna)


async def test_where_the_page_is_encrypted_so_is_the_way_of_the_cookie() -> None:
    address = "https://durak.example"
    async with web_site(public_url=address) as site, visitors() as company:
        headers = {"Origin": address}
        async with company.session.post(
            f"{site.url}/guests", json={"name": "Anna"}, headers=headers
        ) as answer:
            (cookie,) = answer.cookies.values()

    assert (cookie["secure"], cookie["httponly"], cookie["samesite"]) == (True, True, "Strict")
    assert (cookie.key.startswith("__Host-"), cookie["path"], cookie["domain"]) == (True, "/", "")


async def test_a_renewed_secret_takes_the_place_of_the_old_one(
    site: Site, company: Company, anna: Visitor
) -> None:
    thief = anna.another_page()
    status, renewed = await anna.send("renewals", {})
    assert (status, renewed["name"]) == (200, "Anna")
    assert (await thief.send("lines", {"text": "I am Anna"}))[0] == 401
    anna.secret = renewed["secret"]
    assert (await anna.send("lines", {"text": "I am Anna"}))[0] == 200
    assert (await thief.send("renewals", {}))[0] == 401


@asynccontextmanager
async def browser_of(site: Site, *names: str) -> AsyncIterator[list[Visitor]]:
    """Lets guests in from one browser, which keeps cookies."""
    async with ClientSession(cookie_jar=CookieJar(unsafe=True)) as session:
        guests = [Visitor(session, site.url) for _ in names]
        for guest, name in zip(guests, names, strict=True):
            await guest.come_in(name)
        yield guests


async def test_a_browser_is_shown_its_guests_but_no_secret(site: Site) -> None:
    async with browser_of(site, "Anna", "Boris") as (anna, boris):
        status, answer = await anna.send("return", {})
        assert status == 200
        assert [guest["name"] for guest in answer["guests"]] == ["Boris", "Anna"]
        assert not [secret for secret in (anna.secret, boris.secret) if secret in str(answer)]

        for guest, visitor in zip(answer["guests"], (boris, anna), strict=True):
            visitor.secret = guest["secret"]
            assert await is_known(visitor)

    said = await site.store.history("main", None, 10)
    assert sorted(message.content["name"] for message in said) == ["Anna", "Boris"]


async def test_a_guest_of_another_browser_cannot_be_named(site: Site) -> None:
    async with browser_of(site, "Anna") as (anna,), browser_of(site, "Eve") as (thief,):
        _, answer = await anna.send("return", {})
        thief.secret = answer["guests"][0]["secret"]
        assert not await is_known(thief)
        assert "Anna" not in str(await thief.send("return", {}))
