"""The contract of every chat: posting, editing and deleting messages."""

import pytest

from adapters.port import CallbackButton, Delivered, Document, Everyone, Gone, Lost, Mark, Only, Screen, Span
from tests.adapters.contract.harness import Harness, Trait, eventually
from tests.adapters.contract.steps import found, needs, needs_edits, posted, posted_privately, says

HOSTILE = (
    "<b>bold</b> &amp; *stars* _under_ ~~gone~~ ||secret|| `code` [a](http://x.example) @everyone",
    "\u202eright to left\u202c",
    "\U0001f40a" * 64,
    "</code></pre><script>alert(1)</script>",
    "\\*back\\slashes\\*",
)


class SendingContract:
    """Messages that are posted, edited and deleted."""

    async def test_a_public_screen_is_seen_in_the_room(self, harness: Harness) -> None:
        _, seen = await posted(harness, says("Who plays?", "Join", "Leave"))
        assert seen.text == "Who plays?"
        assert seen.buttons == (("Join", "Leave"),)

    async def test_a_private_screen_is_seen_by_one_person_alone(self, harness: Harness) -> None:
        anna = await harness.newcomer("Anna")
        boris = await harness.newcomer("Boris")
        await posted_privately(harness, anna, says("nine of hearts", "9H"))
        assert not found(harness.sees_alone(boris), "nine")
        assert not found(harness.room_sees(), "nine")

    async def test_an_edit_leaves_nothing_of_what_the_message_showed(self, harness: Harness) -> None:
        needs_edits(harness)
        ref, before = await posted(harness, says("first", "One", "Two"))
        delivery = await harness.adapter.edit(ref, says("second", "Three"))
        assert delivery == Delivered(ref)

        await eventually(lambda: found(harness.room_sees(), "second"))
        (after,) = found(harness.room_sees(), "second")
        assert (after.key, after.buttons) == (before.key, (("Three",),))

        await harness.adapter.edit(ref, says("third"))
        await eventually(lambda: found(harness.room_sees(), "third"))
        assert found(harness.room_sees(), "third")[0].labels == ()

    async def test_an_edit_that_changes_nothing_counts_as_delivered(self, harness: Harness) -> None:
        needs_edits(harness)
        ref, _ = await posted(harness, says("same", "Same"))
        assert await harness.adapter.edit(ref, says("same", "Same")) == Delivered(ref)

    async def test_an_edit_of_a_vanished_message_says_so(self, harness: Harness) -> None:
        needs(harness, Trait.FORGETS)
        ref, seen = await posted(harness, says("short-lived"))
        await harness.forget(seen)

        delivery = await harness.adapter.edit(ref, says("too late"))
        assert isinstance(delivery, Gone)
        assert delivery.what is Lost.MESSAGE

    async def test_deleting_removes_and_deleting_again_is_fine(self, harness: Harness) -> None:
        needs_edits(harness)
        ref, _ = await posted(harness, says("for a moment"))
        assert isinstance(await harness.adapter.delete(ref), Delivered)
        await eventually(lambda: not found(harness.room_sees(), "for a moment"))
        assert isinstance(await harness.adapter.delete(ref), Delivered)

    async def test_a_private_message_is_edited_in_place_and_deleted(self, harness: Harness) -> None:
        needs_edits(harness)
        anna = await harness.newcomer("Anna")
        ref, before = await posted_privately(harness, anna, says("hand one", "6S"))

        assert await harness.adapter.edit(ref, says("hand two", "7S")) == Delivered(ref)
        await eventually(lambda: found(harness.sees_alone(anna), "hand two"))
        assert found(harness.sees_alone(anna), "hand two")[0].key == before.key

        await harness.adapter.delete(ref)
        await eventually(lambda: not found(harness.sees_alone(anna), "hand two"))

    async def test_where_nothing_can_be_edited_each_attempt_says_so(self, harness: Harness) -> None:
        if harness.adapter.limits.edits:
            pytest.skip("this chat edits messages")

        ref, _ = await posted(harness, says("before"))
        for outcome in (await harness.adapter.edit(ref, says("after")), await harness.adapter.delete(ref)):
            assert isinstance(outcome, Gone)
            assert outcome.what is Lost.MESSAGE

        assert found(harness.room_sees(), "before")
        assert not found(harness.room_sees(), "after")

    async def test_a_file_that_a_chat_does_not_take_leaves_its_apology(self, harness: Harness) -> None:
        if harness.adapter.limits.documents:
            pytest.skip("this chat takes files")

        needs(harness, Trait.MESSAGES)
        record = Document("durak.txt", b"A 6S", apology="There are no files here.")
        await harness.adapter.post(Everyone(harness.room), says("the record"), document=record)
        await eventually(lambda: found(harness.room_sees(), "the record\n\nThere are no files here."))

    @pytest.mark.parametrize("text", HOSTILE)
    @pytest.mark.parametrize("mark", Mark)
    async def test_whatever_the_text_holds_is_shown_as_it_is(
        self, harness: Harness, text: str, mark: Mark
    ) -> None:
        body = (Span("Name: "), Span(text, mark), Span(" end"))
        delivery = await harness.adapter.post(Everyone(harness.room), Screen(body))
        assert isinstance(delivery, Delivered)
        readable = text.strip("\u202c\u202e")  # a chat may strip the direction marks
        await eventually(lambda: found(harness.room_sees(), readable))

    async def test_what_a_picture_would_show_is_said_where_there_is_none(self, harness: Harness) -> None:
        screen = Screen((Span("what happened"),), details=(Span("who sits where"),))
        await harness.adapter.post(Everyone(harness.room), screen)
        await eventually(lambda: found(harness.room_sees(), "who sits where\n\nwhat happened"))

    async def test_a_mention_shows_the_name(self, harness: Harness) -> None:
        anna = await harness.newcomer("Anna")
        body = (Span("It is your turn, "), Span("Anna <&> *", mention=anna), Span("!"))
        assert isinstance(await harness.adapter.post(Everyone(harness.room), Screen(body)), Delivered)
        await eventually(lambda: found(harness.room_sees(), "It is your turn, "))

    @pytest.mark.parametrize("is_private", [False, True])
    async def test_a_message_posted_again_with_its_key_is_the_one_that_is_there(
        self, harness: Harness, *, is_private: bool
    ) -> None:
        needs(harness, Trait.KEYS)
        anna = await harness.newcomer("Anna")
        audience = Only(anna, harness.room) if is_private else Everyone(harness.room)
        first = await harness.adapter.post(audience, says("first", "Go"), key="6f1d" * 6)
        again = await harness.adapter.post(audience, says("second"), key="6f1d" * 6)
        other = await harness.adapter.post(audience, says("third"), key="other")
        assert first == again != other

        def shown() -> list[str]:
            return [seen.text for seen in (harness.sees_alone(anna) if is_private else harness.room_sees())]

        await eventually(lambda: "third" in shown())
        assert shown() == ["first", "third"]

    async def test_messages_without_a_key_are_all_different(self, harness: Harness) -> None:
        needs(harness, Trait.MESSAGES)
        refs = {(await posted(harness, says("the same")))[0] for _ in range(3)}
        assert len(refs) == 3

    async def test_a_link_to_a_message_shows_its_text(self, harness: Harness) -> None:
        ref, _ = await posted(harness, says("the table"))
        body = (Span("There is "), Span("one <already>", link=ref))
        assert isinstance(await harness.adapter.post(Everyone(harness.room), Screen(body)), Delivered)
        await eventually(lambda: found(harness.room_sees(), "There is one <already>"))

    async def test_a_screen_may_be_as_large_as_the_limits_say(self, harness: Harness) -> None:
        limits = harness.adapter.limits
        buttons = [
            CallbackButton(f"t:{number}", f"{number}".rjust(limits.label, "x"))
            for number in range(limits.buttons)
        ]
        rows = tuple(
            tuple(buttons[start : start + limits.per_row]) for start in range(0, len(buttons), limits.per_row)
        )
        screen = Screen((Span("&" * limits.body),), rows)
        assert isinstance(await harness.adapter.post(Everyone(harness.room), screen), Delivered)

        await eventually(lambda: found(harness.room_sees(), "&" * limits.body))
        assert len(harness.room_sees()[-1].labels) == limits.buttons
