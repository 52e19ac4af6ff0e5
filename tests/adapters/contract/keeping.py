"""The contract of every chat: documents, the files that a reply brings along."""

import asyncio
from collections.abc import Sequence

import pytest

from adapters.port import Delivered, Document, Everyone, Picture, Reply, Screen, Span
from tests.adapters.contract.harness import Harness, Trait, eventually
from tests.adapters.contract.picturing import PNG
from tests.adapters.contract.steps import found, holding, needs, posted, posted_privately, says

RECORD = Document("durak.txt", "A 6♠\r\n\0\n".encode())


class KeepingContract:
    """Documents, as answers to commands and presses."""

    @pytest.fixture(autouse=True)
    def _needs_documents(self, harness: Harness) -> None:
        if not harness.adapter.limits.documents:
            pytest.skip("this chat takes no files")

    async def test_a_document_goes_with_a_posted_message(self, harness: Harness) -> None:
        audience = Everyone(harness.room)
        delivery = await harness.adapter.post(audience, says("the record", "Go"), document=RECORD)
        assert isinstance(delivery, Delivered)
        await eventually(lambda: holding(harness.room_sees(), RECORD))
        assert found(harness.room_sees(), "the record")[0].labels == ("Go",)

    async def test_a_document_goes_with_the_public_part_of_a_reply(self, harness: Harness) -> None:
        anna = await harness.newcomer("Anna")
        harness.inbox.reply = Reply(public=says("the record", "Go"), document=RECORD)
        await harness.types(anna, "/rules")
        await eventually(lambda: holding(harness.room_sees(), RECORD))
        (seen,) = holding(harness.room_sees(), RECORD)
        assert (seen.text, seen.labels) == ("the record", ("Go",))

    @pytest.mark.parametrize("private", [says("about you"), None])
    async def test_a_document_without_a_public_part_is_for_the_asker_alone(
        self, harness: Harness, private: Screen | None
    ) -> None:
        anna = await harness.newcomer("Anna")
        boris = await harness.newcomer("Boris")
        harness.inbox.reply = Reply(secret=private, document=RECORD)
        await harness.types(anna, "/rules")
        await eventually(lambda: holding(harness.sees_alone(anna), RECORD))
        assert holding(harness.sees_alone(anna), RECORD)[0].text.strip() == ("about you" if private else "")
        assert not holding((*harness.room_sees(), *harness.sees_alone(boris)), RECORD)

    async def test_what_takes_long_follows_the_reply_for_the_asker_alone(self, harness: Harness) -> None:
        anna = await harness.newcomer("Anna")
        boris = await harness.newcomer("Boris")
        ready = asyncio.Event()

        async def later() -> Sequence[Reply]:
            await ready.wait()
            return [Reply(secret=says("about you"), document=RECORD)]

        harness.inbox.reply = Reply(secret=says("one moment"), later=later)
        typing = asyncio.create_task(harness.types(anna, "/hand"))
        await eventually(lambda: found(harness.sees_alone(anna), "one moment"))
        assert not found(harness.sees_alone(anna), "about you")

        ready.set()
        await typing
        await eventually(lambda: found(harness.sees_alone(anna), "about you"))
        (seen,) = found(harness.sees_alone(anna), "about you")
        assert seen.document == (RECORD.name, RECORD.content)
        assert not found(harness.sees_alone(boris), "about you")

    async def test_a_document_for_who_cannot_be_written_to_stays_private(self, harness: Harness) -> None:
        needs(harness, Trait.OPT_IN)
        anna = await harness.newcomer("Anna")
        await harness.block_private_messages(anna)
        invitation = says("open the private chat")
        harness.inbox.reply = Reply(secret=says("about you"), invitation=invitation, document=RECORD)

        await harness.types(anna, "/rules")
        await eventually(
            lambda: (
                found(harness.room_sees(), "open the private chat")
                or holding(harness.sees_alone(anna), RECORD)
            )  # ephemeral where the chat can do that
        )

        assert not holding(harness.room_sees(), RECORD)

    async def test_a_press_may_bring_a_public_document(self, harness: Harness) -> None:
        anna = await harness.newcomer("Anna")
        _, table = await posted(harness, says("table", "Go"))
        harness.inbox.reply = Reply(public=says("the record"), document=RECORD)
        await harness.presses(anna, table, "Go")
        await eventually(lambda: holding(harness.room_sees(), RECORD))
        assert found(harness.room_sees(), "table")

    @pytest.mark.parametrize("private", [says("about you"), None])
    async def test_a_press_in_the_room_may_bring_a_document_for_the_presser(
        self, harness: Harness, private: Screen | None
    ) -> None:
        anna = await harness.newcomer("Anna")
        boris = await harness.newcomer("Boris")
        _, table = await posted(harness, says("table", "Go"))
        harness.inbox.reply = Reply(secret=private, document=RECORD)
        await harness.presses(anna, table, "Go")
        await eventually(lambda: holding(harness.sees_alone(anna), RECORD))
        assert not holding((*harness.room_sees(), *harness.sees_alone(boris)), RECORD)
        await eventually(lambda: len(harness.inbox.answers) == (private is not None))

    async def test_a_document_outlives_the_message_whose_press_brought_it(self, harness: Harness) -> None:
        anna = await harness.newcomer("Anna")
        ref, hand = await posted_privately(harness, anna, says("six cards", "6S"))
        harness.inbox.reply = Reply(secret=says("five cards", "7S"), document=RECORD)
        await harness.presses(anna, hand, "6S")
        await eventually(lambda: holding(harness.sees_alone(anna), RECORD))

        await harness.adapter.edit(ref, says("four cards"))
        await eventually(lambda: found(harness.sees_alone(anna), "four cards"))

        assert holding(harness.sees_alone(anna), RECORD)
        assert not found(harness.sees_alone(anna), "five cards")

    async def test_a_document_comes_with_a_text_as_long_as_the_limits_say(self, harness: Harness) -> None:
        anna = await harness.newcomer("Anna")
        text = "&" * harness.adapter.limits.body
        harness.inbox.reply = Reply(public=says(text, "Go"), document=RECORD)
        await harness.types(anna, "/rules")
        await eventually(lambda: holding(harness.room_sees(), RECORD))
        assert found(harness.room_sees(), text)[0].labels == ("Go",)

    async def test_a_document_may_come_with_a_picture(self, harness: Harness) -> None:
        anna = await harness.newcomer("Anna")
        drawn = Screen((Span("the end"),), picture=Picture(PNG, "the end"))
        harness.inbox.reply = Reply(public=drawn, document=RECORD)
        await harness.types(anna, "/rules")
        await eventually(lambda: holding(harness.room_sees(), RECORD))
        assert found(harness.room_sees(), "the end")[0].picture == PNG
