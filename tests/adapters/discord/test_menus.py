"""Choices in Discord's select menus: a choice counts as a press of its button."""

from dataclasses import replace
from typing import Any

from adapters.port import Accent, CallbackButton, Reply, Screen, Span, Tone
from tests.adapters.contract.steps import posted
from tests.adapters.discord.harness import DiscordHarness

DECKS = tuple(
    CallbackButton(f"o:7:1:deck={size}", size, tone, menu="Deck")
    for size, tone in (("24", Tone.NEUTRAL), ("36", Tone.PRIMARY), ("52", Tone.NEUTRAL))
)
BACK = CallbackButton("o:7:1", "Back")
PANEL = Screen((Span("Settings"),), (DECKS, (BACK,)))


def menu_of(harness: DiscordHarness) -> dict[str, Any]:
    (message,) = [message for message in harness.channel.messages.values() if not message.deleted]
    (menu,) = message.menus
    return menu


async def test_the_buttons_of_a_choice_are_one_menu_that_shows_what_holds(harness: DiscordHarness) -> None:
    for accent in (None, Accent.GATHERING):
        ref, seen = await posted(harness, replace(PANEL, accent=accent))
        assert seen.buttons == (("24", "36", "52"), ("Back",))

        menu = menu_of(harness)
        assert menu["placeholder"] == "Deck"
        assert [option["label"] for option in menu["options"] if option.get("default")] == ["36"]
        await harness.adapter.delete(ref)


async def test_a_choice_presses_its_button(harness: DiscordHarness) -> None:
    anna = await harness.newcomer("Anna")
    for accent in (None, Accent.GATHERING):
        ref, seen = await posted(harness, replace(PANEL, accent=accent))
        harness.inbox.reply = Reply(toast="52 cards")
        assert (await harness.presses(anna, seen, "52")).toast == "52 cards"

        press = harness.inbox.pressed[-1]
        assert (press.token, press.message) == ("o:7:1:deck=52", ref)
        assert press.tokens == frozenset(button.token for button in (*DECKS, BACK))


async def test_the_menu_forgets_a_choice_once_it_shows_another_state(harness: DiscordHarness) -> None:
    ref, _ = await posted(harness, PANEL)
    before = menu_of(harness)["custom_id"]
    assert await harness.adapter.edit(ref, PANEL)
    assert menu_of(harness)["custom_id"] == before

    chosen = tuple(replace(button, tone=Tone.NEUTRAL) for button in DECKS)
    assert await harness.adapter.edit(ref, replace(PANEL, rows=(chosen, (BACK,))))
    assert menu_of(harness)["custom_id"] != before


async def test_equal_tokens_in_a_menu_and_beside_it_are_told_apart(harness: DiscordHarness) -> None:
    anna = await harness.newcomer("Anna")
    twice = (*DECKS, replace(DECKS[0], label="24 again"))
    _, seen = await posted(harness, replace(PANEL, rows=(twice, (CallbackButton(DECKS[0].token, "Less"),))))
    for label in ("24", "24 again", "Less"):
        await harness.presses(anna, seen, label)
    assert [press.token for press in harness.inbox.pressed] == [DECKS[0].token] * 3
