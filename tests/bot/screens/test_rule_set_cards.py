"""Rule sets side by side: each is described and drawn by its differences."""

from dataclasses import replace

import pytest

from adapters.port import RuleTrait
from bot.locale import LOCALES, Translator
from bot.screens.rules import TRAITS, rule_set_cards, sketch_of
from engine import PRESETS


def test_a_preset_is_described_by_what_the_fewest_others_have() -> None:
    cards = {card.name: card for card in rule_set_cards(PRESETS, Translator("en"))}
    assert list(cards) == list(PRESETS)
    assert cards["perevodnoy"].cards == "36 cards, 2–6 players."
    assert cards["durnius-travel"].special == "Or show the trump of that rank and keep it, once a round."
    assert cards["podkidnoy-36"].special == ""


@pytest.mark.parametrize("locale", LOCALES)
def test_the_deck_is_told_once(locale: str) -> None:
    for card in rule_set_cards(PRESETS, Translator(locale)):
        text = f"{card.title} {card.cards} {card.special}"
        assert all(text.count(f"{size} ") == 1 for size in (24, 36, 52) if f"{size} " in text), text


def test_no_two_presets_look_alike() -> None:
    sketches = [sketch_of(rules) for rules in PRESETS.values()]
    assert len(set(sketches)) == len(PRESETS)
    assert sketches[0].traits == ()


def test_every_trait_is_found_where_rules_have_it() -> None:
    assert set(TRAITS) == set(RuleTrait)
    rules = [*PRESETS.values(), replace(PRESETS["podkidnoy-36"], teams="2x2")]
    for trait, holds in TRAITS.items():
        assert 0 < sum(map(holds, rules)) < len(rules), trait


@pytest.mark.parametrize(
    ("preset", "lowest", "size"),
    [("podkidnoy-24", "9", 24), ("podkidnoy-36", "6", 36), ("podkidnoy-52", "2", 52)],
)
def test_a_picture_shows_the_lowest_card_of_the_deck(preset: str, lowest: str, size: int) -> None:
    sketch = sketch_of(PRESETS[preset])
    assert (sketch.lowest, sketch.size) == (lowest, size)
