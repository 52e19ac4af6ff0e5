"""A page that loses its connection, and a bot that restarts: nothing is lost or shown twice."""

import json
from typing import Any

from adapters.port import CallbackButton, Delivered, Everyone, MessageRef, Only, Screen, Span, UserRef
from adapters.web.messages import PRESSABLE_SHOWN, PRIVATE_SHOWN, PUBLIC_SHOWN
from tests.adapters.contract import eventually
from tests.adapters.contract.steps import says
from tests.adapters.web.client import Company, Visitor
from tests.adapters.web.site import Site


async def post(site: Site, text: str, *labels: str, to: Visitor | None = None) -> MessageRef:
    audience = Only(UserRef("web", to.id), site.room) if to else Everyone(site.room)
    delivery = await site.adapter.post(audience, says(text, *labels))
    assert isinstance(delivery, Delivered)
    return delivery.ref


def record(visitor: Visitor) -> list[Any]:
    return [*visitor.sees(private=False), *visitor.sees(private=True)]


async def test_after_a_restart_the_page_shows_what_it_showed(site: Site, anna: Visitor) -> None:
    await post(site, "table", "Join")
    await post(site, "hand", "6S", to=anna)
    await anna.send("lines", {"text": "hello"})
    await eventually(lambda: len(anna.shown) == 3)
    before = record(anna)
    await site.restart()
    await eventually(lambda: anna.connects == 2)
    assert record(anna) == before


async def test_a_new_page_shows_what_the_others_show(site: Site, company: Company, anna: Visitor) -> None:
    table = await post(site, "table", "Join")
    hand = await post(site, "hand", "6S", to=anna)
    gone = await post(site, "for a moment")

    await site.adapter.edit(table, says("table, later", "Start"))
    await site.adapter.edit(hand, says("hand, later", "7S"))
    await site.adapter.delete(gone)
    await eventually(lambda: gone.opaque not in anna.shown)

    other = await company.opens(anna.another_page())
    assert record(other) == record(anna)


async def test_what_changed_while_the_line_was_down_is_there_when_it_is_back(
    site: Site, anna: Visitor
) -> None:
    table = await post(site, "table", "Join")
    gone = await post(site, "for a moment")
    for text in ("table 2", "table 3"):
        anna.cut()
        await site.adapter.edit(table, says(text))
        await post(site, f"after {text}")
        await site.adapter.delete(gone)
        await eventually(lambda text=text: f"after {text}" in anna.texts(private=False))  # type: ignore[misc] # mypy and lambda defaults
        assert anna.texts(private=False)[0] == text

    await eventually(lambda: anna.connects == 3)
    assert anna.texts(private=False) == ["table 3", "after table 2", "after table 3"]


async def test_lines_cut_in_the_middle_of_a_conversation_lose_and_double_nothing(
    site: Site, company: Company, anna: Visitor
) -> None:
    others = [await company.opens(anna.another_page()) for _ in range(3)]
    table = await post(site, "0", "Join")
    for number in range(1, 60):
        await site.adapter.edit(table, says(str(number), "Join"))
        await post(site, f"line {number}")
        if number % 7 == 0:
            others[number % 3].cut()

    expected = ["59", *(f"line {number}" for number in range(1, 60))]
    for page in (anna, *others):
        await eventually(lambda page=page: page.texts(private=False) == expected)  # type: ignore[misc] # mypy and lambda defaults

    assert all(page.connects > 1 for page in others)


async def test_no_frame_shows_an_older_state_after_a_newer_one(site: Site, anna: Visitor) -> None:
    table = await post(site, "0")
    for number in range(1, 30):
        await site.adapter.edit(table, says(str(number)))
        if number % 10 == 0:
            anna.cut()

    await eventually(lambda: anna.texts(private=False) == ["29"])
    seen = []
    for frame in map(json.loads, anna.frames):
        messages = [frame["message"]] if frame["type"] == "message" else frame.get("messages", [])
        seen += [int(message["content"]["body"][0]["text"]) for message in messages]

    assert seen == sorted(seen)


async def test_an_edit_that_changes_nothing_sends_nothing(site: Site, anna: Visitor) -> None:
    table = await post(site, "table", "Join")
    await eventually(lambda: anna.texts(private=False) == ["table"])
    frames = len(anna.frames)
    await site.adapter.edit(table, says("table", "Join"))
    await post(site, "next")
    await eventually(lambda: "next" in anna.texts(private=False))
    assert len(anna.frames) == frames + 1


async def test_a_table_is_not_talked_out_of_sight(site: Site, company: Company) -> None:
    old = [await post(site, f"old {number}", "Join") for number in range(PRESSABLE_SHOWN + 2)]
    for number in range(PUBLIC_SHOWN + 1):
        await post(site, f"words {number}")

    late = await company.newcomer(site.url, "Late")
    texts = late.texts(private=False)
    assert len(texts) == PUBLIC_SHOWN + PRESSABLE_SHOWN
    assert texts[: PRESSABLE_SHOWN + 1] == [
        *(f"old {number}" for number in range(2, len(old))),
        "words 1",
    ]


async def test_what_no_page_shows_is_forgotten_and_pages_stay_as_they_are(
    site: Site, company: Company, anna: Visitor
) -> None:
    for number in range(PRESSABLE_SHOWN + 2):
        await post(site, f"old {number}", "Join")

    for number in range(PUBLIC_SHOWN):
        await post(site, f"words {number}")

    for number in range(PRIVATE_SHOWN + 2):
        await post(site, f"hand {number}", to=anna)

    before = await company.opens(anna.another_page())
    await site.adapter.tidy()
    after = await company.opens(anna.another_page())

    for private in (False, True):
        assert after.texts(private=private) == before.texts(private=private)

    kept = await site.store.messages(0, 999)
    assert len(kept) == PUBLIC_SHOWN + PRESSABLE_SHOWN + PRIVATE_SHOWN


async def test_old_private_messages_are_let_go(site: Site, company: Company, anna: Visitor) -> None:
    for number in range(PRIVATE_SHOWN + 1):
        await post(site, f"hand {number}", to=anna)
    other = await company.opens(anna.another_page())
    assert len(other.texts(private=True)) == PRIVATE_SHOWN
    assert other.texts(private=True)[-1] == f"hand {PRIVATE_SHOWN}"


async def test_each_tab_of_a_guest_sees_the_same_pane(site: Site, company: Company, anna: Visitor) -> None:
    other = await company.opens(anna.another_page())
    hand = await post(site, "hand", "6S", to=anna)
    await anna.send("presses", {"message": hand.opaque, "token": "t:6S"})
    await site.adapter.edit(hand, says("played", "7S"))
    for page in (anna, other):
        await eventually(lambda page=page: page.texts(private=True) == ["played"])  # type: ignore[misc] # mypy and lambda defaults


async def test_rooms_are_apart(site: Site, company: Company, anna: Visitor) -> None:
    attic = await company.newcomer(site.url.replace("main", "attic"), "Boris")
    await post(site, "table")
    await attic.send("lines", {"text": "anybody?"})
    await eventually(lambda: attic.texts(private=False) == ["anybody?"])
    await eventually(lambda: anna.texts(private=False) == ["table"])
    assert (anna.people, attic.people) == (["Anna"], ["Boris"])


async def test_a_page_is_told_apart_from_a_dead_line(site: Site, company: Company) -> None:
    visitor = Visitor(company.session, site.url)
    visitor.secret = "long-forgotten"
    await company.opens(visitor)
    assert (visitor.connects, visitor.closed_with) == (0, 4401)


async def test_disabled_buttons_and_marks_reach_the_page(site: Site, anna: Visitor) -> None:
    screen = Screen((Span("table"),), ((CallbackButton("t", "Go", enabled=False),),))
    await site.adapter.post(Everyone(site.room), screen)
    await eventually(lambda: anna.shown)
    assert anna.sees(private=False)[0]["content"]["rows"] == [
        [{"token": "t", "label": "Go", "tone": "neutral", "enabled": False}]
    ]
