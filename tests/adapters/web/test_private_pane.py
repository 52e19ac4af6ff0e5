"""The private pane, seen by one guest only; commands, and the readers of their answers."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from adapters.port import (
    CallbackButton,
    Delivered,
    Everyone,
    Gone,
    Lost,
    MessageRef,
    NeedsOptIn,
    Only,
    Press,
    PrivateChatButton,
    Reply,
    RoomRef,
    Screen,
    ServerRef,
    Span,
    Throttled,
    UserRef,
)
from tests.adapters.contract import eventually
from tests.adapters.contract.steps import says
from tests.adapters.web.client import Company, Visitor, visitors
from tests.adapters.web.site import Site, web_site


@dataclass
class Scene:
    """Two guests in the room."""

    site: Site
    company: Company
    anna: Visitor
    boris: Visitor

    async def posts_privately(self, visitor: Visitor, screen: Screen) -> MessageRef:
        delivery = await self.site.adapter.post(Only(UserRef("web", visitor.id), self.site.room), screen)
        assert isinstance(delivery, Delivered)
        return delivery.ref

    async def posts(self, screen: Screen) -> MessageRef:
        delivery = await self.site.adapter.post(Everyone(self.site.room), screen)
        assert isinstance(delivery, Delivered)
        return delivery.ref


@pytest.fixture
async def scene() -> AsyncIterator[Scene]:
    async with web_site() as site, visitors() as company:
        anna = await company.newcomer(site.url, "Anna")
        yield Scene(site, company, anna, await company.newcomer(site.url, "Boris"))


async def test_no_byte_of_a_private_message_reaches_another_guest(scene: Scene) -> None:
    inbox = scene.site.inbox
    anna = scene.anna
    boris = scene.boris
    spectator = await scene.company.newcomer(scene.site.url, "Watcher")
    ref = await scene.posts_privately(anna, says("my SECRET 1", "SECRET 2"))
    await scene.site.adapter.edit(ref, says("my SECRET 3", "SECRET 4"))
    inbox.reply = Reply(secret=says("my SECRET 5"), toast="SECRET 6")
    table = await scene.posts(says("table", "My hand"))

    for number in range(2):
        await anna.send("presses", {"message": table.opaque, "token": f"t:{number}"})
        await anna.send("lines", {"text": f"/hand SECRET{number}"})

    await scene.site.adapter.delete(ref)
    await eventually(lambda: len(anna.texts(private=True)) == 1)
    await scene.posts(says("the end"))

    for other in (boris, spectator, await scene.company.newcomer(scene.site.url, "Late")):
        await eventually(lambda other=other: "the end" in other.texts(private=False))  # type: ignore[misc] # mypy and lambda defaults
        assert "SECRET" not in "".join(other.frames)
        assert anna.secret not in "".join(other.frames)


async def test_a_private_message_of_another_guest_can_neither_be_pressed_nor_cleared_away(
    scene: Scene,
) -> None:
    scene.site.inbox.reply = Reply(secret=says("an answer"))
    hand = await scene.posts_privately(scene.anna, says("hand", "6S"))
    await scene.anna.send("lines", {"text": "/hand"})
    await eventually(lambda: scene.anna.texts(private=True) == ["hand", "an answer"])

    for message in scene.anna.sees(private=True):
        status, answer = await scene.boris.send("presses", {"message": message["id"], "token": "t:6S"})
        assert (status, answer) == (404, {"error": "That message is gone."})
        await scene.boris.send("dismissals", {"message": message["id"]})

    assert not scene.site.inbox.pressed
    assert await scene.site.adapter.edit(hand, says("hand", "7S")) == Delivered(hand)
    assert len(await scene.site.store.history("main", scene.anna.id, 9)) == 2


async def test_a_message_of_another_room_cannot_be_pressed(scene: Scene) -> None:
    ref = await scene.posts(says("table", "Join"))
    scene.anna.url = scene.anna.url.replace("main", "attic")
    status, _ = await scene.anna.send("presses", {"message": ref.opaque, "token": "t:Join"})
    assert status == 404


async def test_a_press_is_answered_about_even_when_the_store_fails(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise OSError

    hand = await scene.posts_privately(scene.anna, says("hand", "6S"))
    scene.site.inbox.reply = Reply(secret=says("after", "7S"))
    monkeypatch.setattr(scene.site.store, "change_message", fail)
    body = {"message": hand.opaque, "token": "t:6S"}
    address = f"{scene.anna.url}/presses"
    headers = scene.anna.headers
    async with scene.anna.session.post(address, json=body, headers=headers) as response:
        assert response.status == 500

    assert [type(delivery) for _, _, delivery in scene.site.inbox.answers] == [Throttled]


async def test_pressing_twice_leaves_one_message(scene: Scene) -> None:
    hand = await scene.posts_privately(scene.anna, says("hand", "6S"))
    scene.site.inbox.reply = Reply(secret=says("five cards", "7S"), toast="Attacked")
    body = {"message": hand.opaque, "token": "t:6S"}
    answers = await asyncio.gather(*(scene.anna.send("presses", body) for _ in range(2)))
    assert answers == [(200, {"toast": "Attacked"})] * 2
    assert [delivery for _, _, delivery in scene.site.inbox.answers] == [Delivered(hand)] * 2
    await eventually(lambda: scene.anna.texts(private=True) == ["five cards"])


async def test_an_answer_takes_the_place_of_the_last_one_until_it_is_cleared_away(scene: Scene) -> None:
    for text in ("first", "second"):
        scene.site.inbox.reply = Reply(secret=says(text))
        await scene.anna.send("lines", {"text": "/stats"})

    await eventually(lambda: scene.anna.texts(private=True) == ["second"])
    (message,) = scene.anna.sees(private=True)
    assert message["content"]["asked"] == {"by": scene.anna.id, "name": "Anna", "text": "/stats"}

    await scene.anna.send("dismissals", {"message": message["id"]})
    await eventually(lambda: not scene.anna.texts(private=True))


async def test_a_hand_cannot_be_cleared_away(scene: Scene) -> None:
    hand = await scene.posts_privately(scene.anna, says("hand", "6S"))
    await scene.anna.send("dismissals", {"message": hand.opaque})
    assert await scene.site.adapter.edit(hand, says("hand", "7S")) == Delivered(hand)


async def test_my_hand_leads_to_the_hand_that_is_there(scene: Scene) -> None:
    hand = await scene.posts_privately(scene.anna, says("hand", "6S"))
    table = await scene.posts(says("table", "My hand"))
    scene.site.inbox.reply = Reply(secret=says("hand", "6S"))
    _, answer = await scene.anna.send("presses", {"message": table.opaque, "token": "h:1"})
    assert answer == {"look": hand.opaque}
    _, answer = await scene.anna.send("lines", {"text": "/hand"})
    assert answer == {"look": hand.opaque}
    assert [message["id"] for message in scene.anna.sees(private=True)] == [hand.opaque]


async def test_words_go_to_everybody_as_they_are(scene: Scene) -> None:
    said = "<img src=x onerror=alert(1)> **9♥** 🐊"
    await scene.anna.send("lines", {"text": said})
    await eventually(lambda: scene.boris.texts(private=False) == [said])
    assert scene.boris.sees(private=False)[0]["content"]["name"] == "Anna"
    assert not scene.site.inbox.commands


async def test_people_are_mentioned_by_name_and_namesakes_all(scene: Scene) -> None:
    maria = await scene.company.newcomer(scene.site.url, "Anna  Maria (2.0)")
    namesake = await scene.company.newcomer(scene.site.url, "anna")

    await scene.boris.send("lines", {"text": "/stats @Anna"})
    await scene.boris.send("lines", {"text": "/STATS @anna maria (2.0)"})
    await scene.boris.send("lines", {"text": "/stats x@Anna @Annabel"})

    read = [
        (command.name, [user.ref.id for user in command.mentioned]) for command in scene.site.inbox.commands
    ]
    assert read == [
        ("stats", [scene.anna.id, namesake.id]),
        ("stats", [scene.anna.id, maria.id, namesake.id]),
        ("stats", []),
    ]


async def test_the_browser_s_language_comes_with_what_is_asked(scene: Scene) -> None:
    await scene.anna.send("lines", {"text": "/hand"}, Accept_Language="de-AT,en;q=0.5")
    await scene.anna.send("lines", {"text": "/hand"}, Accept_Language="*")
    assert [command.user.locale for command in scene.site.inbox.commands] == ["de", ""]


async def test_the_commands_are_listed(scene: Scene) -> None:
    assert [(command["name"], command["arguments"]) for command in scene.anna.commands] == [
        ("durak", ["preset"]),
        ("hand", []),
        ("leaderboard", ["week | month | all"]),
    ]


async def test_who_has_the_page_open_is_shown_once(scene: Scene) -> None:
    await scene.company.opens(scene.anna.another_page())
    await scene.company.newcomer(scene.site.url, "Clara")
    await eventually(lambda: scene.boris.people == ["Anna", "Boris", "Clara"])


async def test_the_private_pane_needs_no_opening(scene: Scene) -> None:
    ref = await scene.posts(
        Screen(
            (Span("table"),), ((PrivateChatButton("Open", scene.site.room),), (CallbackButton("t", "Go"),))
        )
    )
    await eventually(lambda: scene.anna.shown.get(ref.opaque))
    rows = scene.anna.shown[ref.opaque]["content"]["rows"]
    assert [[button["label"] for button in row] for row in rows] == [["Go"]]


async def test_what_is_not_of_this_page_is_an_outcome(scene: Scene) -> None:
    adapter = scene.site.adapter
    elsewhere = RoomRef(ServerRef("telegram", "1"), "1")
    nobody = UserRef("web", "nobody")
    assert await adapter.post(Only(nobody, scene.site.room), says("x")) == NeedsOptIn(nobody)

    away = await adapter.post(Everyone(elsewhere), says("x"))
    assert isinstance(away, Gone)
    assert away.what is Lost.ROOM

    for opaque in ("", "x", "-1", "999"):
        lost = await adapter.edit(MessageRef("web", opaque), says("x"))
        assert isinstance(lost, Gone)
        assert lost.what is Lost.MESSAGE

    foreign = MessageRef("telegram", "1")
    assert isinstance(await adapter.edit(foreign, says("x")), Gone)
    assert await adapter.delete(foreign) == Delivered(foreign)


async def test_a_press_names_its_message(scene: Scene) -> None:
    ref = await scene.posts(says("table", "Join"))
    await scene.anna.send("presses", {"message": ref.opaque, "token": "t:Join"})
    (press,) = scene.site.inbox.pressed
    shown = frozenset({"t:Join"})
    assert press == Press(press.user, scene.site.room, "t:Join", ref, press.id, tokens=shown)


async def test_what_a_person_said_has_no_buttons_whatever_is_pressed_on_it(scene: Scene) -> None:
    await scene.boris.send("lines", {"text": "good evening"})
    await eventually(lambda: scene.anna.shown)
    (message,) = scene.anna.shown
    await scene.anna.send("presses", {"message": message, "token": "p:help"})
    (press,) = scene.site.inbox.pressed
    assert not press.is_shown
