"""A forgotten guest leaves nothing on the page except a dash in place of their name."""

import json
from dataclasses import replace

import pytest

from adapters.port import Document, Everyone, Mark, Only, Picture, Reply, Screen, Span, UserRef
from adapters.web.eraser import NOBODY, Eraser
from adapters.web.messages import BATCH_SIZE
from adapters.web.store import POST, SavedMessage
from tests.adapters.boards import board
from tests.adapters.contract import eventually
from tests.adapters.contract.picturing import PNG
from tests.adapters.contract.steps import says
from tests.adapters.web.client import Company, Visitor
from tests.adapters.web.site import Site


async def everything(site: Site) -> str:
    """Returns the whole content of the page's store."""
    store = site.store
    messages = await store.messages(0, 10_000)
    files = [
        await store.file(message.id, (message.content.get(kind) or {}).get("digest", ""))
        for message in messages
        for kind in ("picture", "document")
    ]
    kept = [*await store.guests(), *((message.guest, json.dumps(message.content)) for message in messages)]

    return str([*kept, *files])


async def forgotten(site: Site, guest: Visitor, name: str) -> None:
    await site.adapter.forget_person(UserRef("web", guest.id), {name})


async def test_nothing_of_a_forgotten_guest_is_left(site: Site, company: Company) -> None:
    anna = await company.newcomer(site.url, "Theodora")
    boris = await company.newcomer(site.url, "Boris")
    post = site.adapter.post
    room = Everyone(site.room)
    await post(Only(UserRef("web", anna.id), site.room), says("your cards"))
    await anna.send("lines", {"text": "good morning"})
    await boris.send("lines", {"text": "Hello @theodora and @Theodoras"})
    site.inbox.reply = Reply(public=says("the rules"), document=Document("durak.txt", b"seat 0: Theodora"))
    await anna.send("lines", {"text": "/rules"})
    table = Screen(
        (Span("Theodora", Mark.BOLD, mention=UserRef("web", anna.id)), Span(" defends.")),
        picture=Picture(PNG, "Theodora defends"),
    )
    await post(room, table)
    await post(room, replace(says("trumps", "Play"), board=board("Theodora", anna.id)))

    for number in range(BATCH_SIZE):
        await post(room, says(f"move {number}", "Play"))

    assert "Theodora" in await everything(site)

    await forgotten(site, anna, "Theodora")
    kept = await everything(site)
    assert "Theodora" not in kept.replace("Theodoras", "")
    assert anna.id not in kept
    assert "good morning" not in kept
    assert f"Hello @{NOBODY} and @Theodoras" in boris_reads(await site.store.history("main", None, 1000))
    assert "seat 0" not in kept
    assert "move 199" in kept


def boris_reads(messages: object) -> str:
    return json.dumps([message.content for message in messages], ensure_ascii=False)  # type: ignore[attr-defined] # messages


async def test_everybody_sees_at_once_what_is_left_and_who_is_forgotten_hears_it(
    site: Site, company: Company
) -> None:
    anna = await company.newcomer(site.url, "Anna")
    boris = await company.newcomer(site.url, "Boris")
    sent = await site.adapter.post(Everyone(site.room), says("Anna attacks Boris."))
    await eventually(lambda: boris.texts(private=False))
    changed = await site.adapter.forget_person(UserRef("web", anna.id), {"Anna"})
    assert list(changed) == [sent.ref]  # type: ignore[union-attr] # it was delivered

    await eventually(lambda: boris.texts(private=False) == [f"{NOBODY} attacks Boris."])
    await eventually(lambda: boris.people == ["Boris"])
    await eventually(lambda: anna.closed_with == 4401)
    assert json.loads(anna.frames[-1]) == {"type": "forgotten"}
    assert (await anna.send("lines", {"text": "hello"}))[0] == 401


async def test_a_message_for_somebody_who_is_forgotten_is_not_kept(site: Site, company: Company) -> None:
    anna = await company.newcomer(site.url, "Anna")
    user = UserRef("web", anna.id)
    await forgotten(site, anna, "Anna")
    await site.adapter.post(Only(user, site.room), says("your cards"))
    assert anna.id not in await everything(site)


async def test_only_the_pages_of_who_is_forgotten_close(site: Site, company: Company) -> None:
    anna = await company.newcomer(site.url, "Anna")
    boris = await company.newcomer(site.url, "Boris")
    await anna.send("lines", {"text": "good morning"})
    await eventually(lambda: boris.texts(private=False))
    await forgotten(site, anna, "Anna")
    await eventually(lambda: anna.closed_with == 4401)
    await eventually(lambda: not boris.texts(private=False))  # her lines are gone there, too
    assert (boris.closed_with, boris.connects) == (None, 1)


@pytest.mark.parametrize("name", ["the", "Boris"])
async def test_words_of_others_stay_as_they_were_said(site: Site, company: Company, name: str) -> None:
    guest = await company.newcomer(site.url, name)
    boris = await company.newcomer(site.url, "Boris")
    words = f"{name} rules, {name.upper()}! the Boris of all"
    await boris.send("lines", {"text": words})
    await eventually(lambda: boris.texts(private=False))
    await forgotten(site, guest, name)
    (said,) = await site.store.history("main", None, 10)
    assert said.content == {"by": boris.id, "name": "Boris", "text": words}


async def test_what_the_bot_says_of_a_namesake_stays(site: Site, company: Company) -> None:
    one = await company.newcomer(site.url, "Boris")
    other = await company.newcomer(site.url, "Boris")
    for guest in (one, other):
        await site.adapter.post(
            Everyone(site.room),
            Screen((Span("Boris", mention=UserRef("web", guest.id)), Span(", your move."))),
        )

    await site.adapter.post(Everyone(site.room), says("1. Boris", "Boris"))
    await forgotten(site, one, "Boris")
    shown = [message.content["body"][0]["text"] for message in await site.store.history("main", None, 10)]
    assert shown == [NOBODY, "Boris", "1. Boris"]


async def test_a_name_that_is_a_word_goes_where_it_stands_as_a_name(site: Site, company: Company) -> None:
    guest = await company.newcomer(site.url, "the")
    sentence = Screen((Span("the", Mark.BOLD), Span(": the fool of the week")))
    await site.adapter.post(Everyone(site.room), sentence)
    await site.adapter.forget_person(UserRef("web", guest.id), ())  # no name that identifies a person
    (message,) = await site.store.history("main", None, 10)
    assert [span["text"] for span in message.content["body"]] == [NOBODY, ": the fool of the week"]


def message_of(content: dict[str, object]) -> SavedMessage:
    return SavedMessage("main", None, POST, content, 0.0, id=1)


def test_what_a_button_does_is_never_rewritten() -> None:
    message = message_of(
        {"body": [{"text": "join"}], "rows": [[{"token": "l:1:1:join", "label": "join in"}]]}
    )
    assert Eraser("a1", "join", {"join"}, has_namesake=False).erase(message) == {
        "body": [{"text": NOBODY}],
        "rows": [[{"token": "l:1:1:join", "label": f"{NOBODY} in"}]],
    }
    assert Eraser("a1", "", {""}, has_namesake=False).erase(message) is None


def test_a_button_of_a_guest_who_is_forgotten_is_nobodys() -> None:
    rows = [[{"token": "g:1:1:rematch", "label": "Rematch", "readers": ["a1", "b2"]}]]
    message = message_of({"rows": rows})
    rest = Eraser("a1", "Anna", (), has_namesake=False).erase(message)
    assert rest is not None
    assert rest["rows"][0][0]["readers"] == ["b2"]
