"""The contract of every chat: pictures."""

import struct
import zlib

import pytest

from adapters.port import Delivered, Everyone, Gone, Lost, Picture, Reply, Screen, Span
from tests.adapters.contract.harness import Harness, eventually
from tests.adapters.contract.steps import found, posted, posted_privately, says


def png(shade: int) -> bytes:
    """Draws a picture of one grey pixel."""
    point = zlib.compress(bytes([0, shade]))
    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", point), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, content) for kind, content in chunks)


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


PNG = png(0)


def drawn(text: str, shade: int = 0) -> Screen:
    return Screen((Span(text),), says(text, "Go").rows, Picture(png(shade), text))


class PicturingContract:
    """Screens with pictures, as posts, edits and answers."""

    @pytest.fixture(autouse=True)
    def _needs_pictures(self, harness: Harness) -> None:
        if not harness.adapter.limits.pictures:
            pytest.skip("this chat shows no pictures")

    async def test_pictures_come_and_go_while_the_message_is_edited(self, harness: Harness) -> None:
        """Posts a message again where its edit reports it as gone, as the outbox does."""
        plain = says("as text", "Go")
        pictured = Screen((Span("as picture"),), picture=Picture(PNG, "as picture"))
        audience = Everyone(harness.room)
        delivery = await harness.adapter.post(audience, plain)

        for screen, text in ((pictured, "as picture"), (plain, "as text"), (pictured, "as picture")):
            assert isinstance(delivery, Delivered)
            delivery = await harness.adapter.edit(delivery.ref, screen)
            if isinstance(delivery, Gone):
                assert delivery.what is Lost.MESSAGE
                delivery = await harness.adapter.post(audience, screen)

            await eventually(lambda text=text: found(harness.room_sees(), text))  # type: ignore[misc] # mypy and lambda defaults
            assert len(found(harness.room_sees(), "as ")) == 1
            assert found(harness.room_sees(), text)[0].picture == (PNG if screen is pictured else None)

    async def test_an_edit_shows_the_new_picture_in_place_of_the_old_one(self, harness: Harness) -> None:
        ref, before = await posted(harness, drawn("before", 0))
        assert before.picture == png(0)

        for text, shade in (("after", 200), ("in other words", 200), ("at last", 0)):
            assert await harness.adapter.edit(ref, drawn(text, shade)) == Delivered(ref)
            await eventually(lambda text=text: found(harness.room_sees(), text))  # type: ignore[misc] # mypy and lambda defaults
            (seen,) = harness.room_sees()
            await eventually(lambda shade=shade: harness.room_sees()[0].picture == png(shade))  # type: ignore[misc] # mypy and lambda defaults
            assert (seen.key, seen.labels, seen.document) == (before.key, ("Go",), None)
            assert await harness.adapter.edit(ref, drawn(text, shade)) == Delivered(ref)

    async def test_a_private_picture_is_seen_by_one_person_alone(self, harness: Harness) -> None:
        anna = await harness.newcomer("Anna")
        boris = await harness.newcomer("Boris")
        ref, _ = await posted_privately(harness, anna, drawn("six cards"))
        await eventually(lambda: found(harness.sees_alone(anna), "six cards")[0].picture == PNG)
        assert not any(seen.picture for seen in (*harness.room_sees(), *harness.sees_alone(boris)))
        assert isinstance(await harness.adapter.delete(ref), Delivered)
        await eventually(lambda: not any(seen.picture for seen in harness.sees_alone(anna)))

    async def test_a_picture_stands_beside_a_text_as_long_as_the_limits_say(self, harness: Harness) -> None:
        text = "&" * harness.adapter.limits.caption
        _, seen = await posted(harness, drawn(text))
        assert (seen.text, seen.labels) == (text, ("Go",))
        await eventually(lambda: harness.room_sees()[0].picture == PNG)

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            (drawn("one"), says("two")),
            (says("one", "Go"), drawn("two")),
            (drawn("one", 0), drawn("two", 200)),
        ],
    )
    async def test_the_answer_to_a_press_takes_the_place_of_the_message_picture_or_not(
        self, harness: Harness, before: Screen, after: Screen
    ) -> None:
        anna = await harness.newcomer("Anna")
        _, hand = await posted_privately(harness, anna, before)
        harness.inbox.reply = Reply(secret=after)
        await harness.presses(anna, hand, "Go")
        await eventually(lambda: harness.inbox.answers)
        ((_, _, delivery),) = harness.inbox.answers
        await eventually(lambda: found(harness.sees_alone(anna), "two"))
        assert not found(harness.sees_alone(anna), "one")

        png = None if after.picture is None else after.picture.png
        await eventually(lambda: found(harness.sees_alone(anna), "two")[0].picture == png)
        assert isinstance(delivery, Delivered)
        assert await harness.adapter.edit(delivery.ref, after) == Delivered(delivery.ref)
