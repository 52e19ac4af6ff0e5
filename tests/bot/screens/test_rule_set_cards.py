"""Rule sets side by side: the usual ones first, each with a sentence and a picture."""

from dataclasses import replace

import pytest

from bot.locale import LOCALES, Translator
from bot.screens.names import PRESET_SENTENCES
from bot.screens.rules import USUAL, rule_set_cards, sketch_of
from engine import PRESETS

ENGLISH = Translator("en")


def test_every_preset_has_a_sentence_and_the_usual_ones_come_first() -> None:
    assert set(PRESET_SENTENCES) == set(PRESETS)

    cards = rule_set_cards(PRESETS, ENGLISH)
    assert {card.name for card in cards} == set(PRESETS)
    assert tuple(card.name for card in cards if card.is_usual) == USUAL
    assert tuple(card.name for card in cards[: len(USUAL)]) == USUAL
    assert cards[0].about == "The usual game: beat every card or take them all."
    assert cards[1].cards == "36 cards, 2–6 players."


def test_a_variation_is_shown_at_once_with_a_sentence_that_stands_alone() -> None:
    ours = replace(PRESETS["durnius-travel"], attack_limit=6, throw_in_after_take="up_to_limit")
    larger = replace(PRESETS["podkidnoy-36"], deck=52)
    sets = {**PRESETS, "ours": ours, "larger": larger}
    cards = {card.name: card for card in rule_set_cards(sets, ENGLISH)}

    assert list(cards)[len(USUAL) :][:2] == ["ours", "larger"]
    assert cards["ours"].is_usual
    assert not cards["ours"].about.startswith("Or ")
    assert cards["larger"].about == ""


@pytest.mark.parametrize("locale", LOCALES)
def test_the_deck_is_told_once(locale: str) -> None:
    for card in rule_set_cards(PRESETS, Translator(locale)):
        text = f"{card.title} {card.cards} {card.about}"
        assert all(text.count(f"{size} ") == 1 for size in (24, 36, 52) if f"{size} " in text), text


@pytest.mark.parametrize(
    ("preset", "lowest", "size"),
    [("podkidnoy-24", "9", 24), ("podkidnoy-36", "6", 36), ("podkidnoy-52", "2", 52)],
)
def test_a_picture_shows_the_lowest_card_of_the_deck(preset: str, lowest: str, size: int) -> None:
    sketch = sketch_of(PRESETS[preset])
    assert (sketch.lowest, sketch.size) == (lowest, size)


def test_only_the_sketches_of_rules_with_transfer_show_an_arrow() -> None:
    arrows = {name for name, rules in PRESETS.items() if sketch_of(rules).transfers}
    assert arrows == {name for name, rules in PRESETS.items() if rules.transfer}
    assert "perevodnoy" in arrows
    assert "podkidnoy-36" not in arrows
