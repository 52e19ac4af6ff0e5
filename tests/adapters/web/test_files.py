"""Pictures and documents of the page: fetched separately, by the readers of their message."""

from dataclasses import replace

import pytest

from adapters.port import (
    Delivered,
    Document,
    Everyone,
    MessageRef,
    Only,
    Picture,
    Reply,
    Screen,
    Span,
    UserRef,
)
from adapters.web.render import screen_content
from tests.adapters.contract import eventually
from tests.adapters.contract.picturing import PNG
from tests.adapters.contract.steps import says
from tests.adapters.web.client import Company, Visitor
from tests.adapters.web.site import Site
from tests.adapters.web.steps import DRAWN


async def shown_picture(site: Site, reader: Visitor, audience: Everyone | Only) -> tuple[str, str]:
    """Posts a picture, and returns the ids of the message and of the picture."""
    delivery = await site.adapter.post(audience, DRAWN)
    assert isinstance(delivery, Delivered)
    await eventually(lambda: delivery.ref.opaque in reader.shown)
    return delivery.ref.opaque, reader.shown[delivery.ref.opaque]["content"]["picture"]["digest"]


async def test_frames_hold_a_digest_and_the_size_in_place_of_a_picture(site: Site, anna: Visitor) -> None:
    message, digest = await shown_picture(site, anna, Everyone(site.room))
    picture = anna.shown[message]["content"]["picture"]
    assert picture == {"alt": "the table", "width": 1, "height": 1, "digest": digest}
    assert await anna.file(message, digest) == (200, PNG)


def test_what_a_picture_shows_as_well_is_read_only_where_there_is_none() -> None:
    screen = Screen((Span("Anna takes."),), details=(Span("Anna 3"),))
    for picture, text in ((None, "Anna 3\n\nAnna takes."), (Picture(PNG, "Anna 3"), "Anna takes.")):
        facts = screen_content(replace(screen, picture=picture)).facts
        assert "".join(span["text"] for span in facts["body"]) == text


async def test_a_private_picture_is_for_its_reader_alone(site: Site, company: Company, anna: Visitor) -> None:
    boris = await company.newcomer(site.url, "Boris")
    message, digest = await shown_picture(site, anna, Only(UserRef("web", anna.id), site.room))
    assert await anna.file(message, digest) == (200, PNG)
    assert (await boris.file(message, digest))[0] == 404
    boris.secret = ""
    assert (await boris.file(message, digest))[0] == 401


async def test_an_address_stands_for_one_file_for_ever(site: Site, anna: Visitor) -> None:
    message, digest = await shown_picture(site, anna, Everyone(site.room))
    async with anna.session.get(f"{anna.url}/files/{message}/{digest}", headers=anna.headers) as response:
        assert "immutable" in response.headers["Cache-Control"]
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert response.content_type == "image/png"

    other = Picture(PNG + b"more", "the table, later")
    await site.adapter.edit(MessageRef("web", message), Screen((Span("table"),), picture=other))
    assert (await anna.file(message, digest))[0] == 404

    await eventually(lambda: anna.shown[message]["content"]["picture"]["alt"] == other.alt)
    later = anna.shown[message]["content"]["picture"]["digest"]
    assert await anna.file(message, later) == (200, other.png)

    await site.adapter.delete(MessageRef("web", message))
    assert (await anna.file(message, later))[0] == 404


async def test_a_file_is_asked_for_by_its_own_message(site: Site, company: Company, anna: Visitor) -> None:
    """Refuses a picture's digest for another message, so that it reveals no other player's hand."""
    boris = await company.newcomer(site.url, "Boris")
    _, digest = await shown_picture(site, anna, Only(UserRef("web", anna.id), site.room))
    public = await site.adapter.post(Everyone(site.room), says("table"))
    assert isinstance(public, Delivered)
    assert (await boris.file(public.ref.opaque, digest))[0] == 404

    elsewhere = boris.url.replace("main", "attic")
    path = f"{elsewhere}/files/{public.ref.opaque}/{digest}"
    async with boris.session.get(path, headers=boris.headers) as response:
        assert response.status == 404


@pytest.mark.parametrize("address", ["0/" + "0" * 32, "1/../1", "1/" + "g" * 32, "9" * 19 + "/" + "0" * 32])
async def test_an_address_of_nothing_gives_nothing(anna: Visitor, address: str) -> None:
    message, _, digest = address.partition("/")
    assert (await anna.file(message, digest))[0] == 404


async def test_a_document_is_never_shown_as_a_page(site: Site, anna: Visitor) -> None:
    site.inbox.reply = Reply(public=says("record"), document=Document("a.html", b"<script>alert(1)</script>"))
    await anna.send("lines", {"text": "/rules"})
    await eventually(lambda: anna.sees(private=False))

    (message,) = anna.sees(private=False)
    digest = message["content"]["document"]["digest"]
    async with anna.session.get(
        f"{anna.url}/files/{message['id']}/{digest}", headers=anna.headers
    ) as response:
        assert response.content_type == "application/octet-stream"
        assert await response.read() == b"<script>alert(1)</script>"
