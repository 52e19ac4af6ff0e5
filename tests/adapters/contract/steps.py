"""Steps shared by the tests of the contract."""

from collections.abc import Sequence

import pytest

from adapters.port import (
    CallbackButton,
    Delivered,
    Document,
    Everyone,
    MessageRef,
    Only,
    Screen,
    Span,
    UserRef,
)
from tests.adapters.contract.harness import Harness, Seen, Trait, eventually


def says(text: str, *labels: str) -> Screen:
    """Builds a screen with this text and one row of buttons with the tokens `t:<label>`."""
    row = tuple(CallbackButton(f"t:{label}", label) for label in labels)
    rows = (row,) if row else ()
    return Screen((Span(text),), rows)


def found(shown: Sequence[Seen], text: str) -> list[Seen]:
    return [seen for seen in shown if text in seen.text]


def holding(shown: Sequence[Seen], document: Document) -> list[Seen]:
    return [seen for seen in shown if seen.document == (document.name, document.content)]


def needs(harness: Harness, trait: Trait) -> None:
    if trait not in harness.traits:
        pytest.skip(f"this chat has no {trait.name}")


def needs_edits(harness: Harness) -> None:
    if not harness.adapter.limits.edits:
        pytest.skip("this chat edits nothing")


async def posted(harness: Harness, screen: Screen) -> tuple[MessageRef, Seen]:
    """Posts a screen to the room, and waits until it is seen there."""
    delivery = await harness.adapter.post(Everyone(harness.room), screen)
    assert isinstance(delivery, Delivered)
    await eventually(lambda: found(harness.room_sees(), screen.body[0].text))
    return delivery.ref, found(harness.room_sees(), screen.body[0].text)[-1]


async def posted_privately(harness: Harness, who: UserRef, screen: Screen) -> tuple[MessageRef, Seen]:
    """Posts a screen to one person, and waits until they see it."""
    delivery = await harness.adapter.post(Only(who, harness.room), screen)
    assert isinstance(delivery, Delivered)
    await eventually(lambda: found(harness.sees_alone(who), screen.body[0].text))
    return delivery.ref, found(harness.sees_alone(who), screen.body[0].text)[-1]
