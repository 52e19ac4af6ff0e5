"""Boxes for typed answers: a press opens one, and the typed answer counts as another press of its button."""

import pytest

from adapters.port import Accent, Question, Reply, Screen, Span
from tests.adapters.contract import eventually
from tests.adapters.contract.steps import posted, posted_privately, says
from tests.adapters.discord.harness import DiscordHarness
from tests.wire.discord import Callback, Fault, Refusal

CALLBACK = "/interactions/{interaction_id}/{interaction_token}/callback"
QUESTION = Question("Other hours", "From one hour to another", "23-9")


async def test_a_press_opens_a_box_and_its_text_comes_as_another_press(harness: DiscordHarness) -> None:
    anna = harness.people[await harness.newcomer("Anna")]
    for screen in (
        says("hours", "Other"),
        Screen((Span("hours"),), says("", "Other").rows, accent=Accent.OVER),
    ):
        ref, seen = await posted(harness, screen)
        harness.inbox.reply = Reply(question=QUESTION)
        opening = await anna.presses(harness.message(seen), "Other")
        assert opening.callback is Callback.BOX
        assert opening.box["title"] == "Other hours"
        (label,) = opening.box["components"]
        assert (label["label"], label["component"]["placeholder"]) == ("From one hour to another", "23-9")

        harness.inbox.reply = Reply(replacement=says("23:00–09:00"))
        answer = await anna.fills_in(opening, "23-9")
        assert answer.callback is Callback.UPDATE
        assert [shown.text for shown in harness.room_sees()] == ["23:00–09:00"]

        first, second = harness.inbox.pressed[-2:]
        assert (first.token, first.text) == ("t:Other", "")
        assert (second.token, second.text, second.message) == ("t:Other", "23-9", ref)
        assert second.is_shown
        await harness.adapter.delete(ref)


@pytest.mark.parametrize("text", ["*x* <@1>", "b" * 60, "Наши правила"])
async def test_any_text_arrives_as_it_was_typed(harness: DiscordHarness, text: str) -> None:
    anna = await harness.newcomer("Anna")
    _, seen = await posted_privately(harness, anna, says("save", "Save"))
    harness.inbox.reply = Reply(question=QUESTION)
    opening = await harness.people[anna].presses(harness.message(seen), "Save")
    harness.inbox.reply = Reply(toast="saved")
    answer = await harness.people[anna].fills_in(opening, text)
    assert [message.text for message in answer.ephemeral] == ["saved"]
    assert harness.inbox.pressed[-1].text == text


async def test_a_box_that_cannot_be_opened_costs_nothing_else(harness: DiscordHarness) -> None:
    anna = harness.people[await harness.newcomer("Anna")]
    _, seen = await posted(harness, says("hours", "Other"))
    harness.inbox.reply = Reply(question=QUESTION)
    harness.server.state.faults.add(Fault("POST", CALLBACK, Refusal.UNAVAILABLE))
    harness.server.state.answer_within = 0.3
    await anna.presses(harness.message(seen), "Other")

    harness.server.state.answer_within = 3.0
    opening = await anna.presses(harness.message(seen), "Other")
    await eventually(lambda: opening.box)
