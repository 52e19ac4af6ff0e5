"""The rules on the screen are made from the settings, so each setting that is played is told."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from bot.screens.rules import rules_screen
from engine import MOST_QUIET_BOUTS, PRESETS, SETTINGS, Rules, value_text
from tests.bot.messages import text_of
from tests.bot.screens.scenes import CHATS, TRANSLATOR


def told(rules: Rules) -> str:
    return text_of(rules_screen("these", rules, tuple(PRESETS), TRANSLATOR))


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_explained_within_a_message(preset: str) -> None:
    text = told(PRESETS[preset])
    assert len(text) <= min(limits.body for limits in CHATS)
    assert text.startswith("Rules · these\n\n• ")
    assert text.count("\n• ") >= 8
    assert f"{MOST_QUIET_BOUTS} bouts" in text
    assert "{" not in text
    assert "None" not in text


def test_no_two_presets_sound_the_same() -> None:
    assert len({told(rules) for rules in PRESETS.values()}) == len(PRESETS)


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        (Rules(deck=24), "24 cards, 2 to 4 players, 6 cards each."),
        (Rules(hand_size=1), "1 card each."),
        (PRESETS["punktedurak"], "32 cards for two or three players, 52 for more"),
        (Rules(decks=2), "2 decks together"),
        (Rules(rank_order="ten_high"), "The ten ranks above the king"),
        (Rules(turn_up="removed"), "out of the game"),
        (Rules(redeal_same_suit=5), "5 cards of one suit and no trump give the right to a new deal."),
        (Rules(lay_away_four=True), "Four of a kind may be laid away."),
        (Rules(trump_six_exchange=True), "The six of trumps may be exchanged"),
        (Rules(opening_cards="equal_rank"), "one card or several of one rank"),
        (Rules(throw_in="none"), "Nobody throws in."),
        (Rules(throw_in="attacker"), "The attacker may throw in"),
        (Rules(throw_in="neighbours"), "The defender's neighbours may throw in"),
        (Rules(throw_in="all"), "Everybody but the defender may throw in"),
        (
            Rules(attack_limit=5, first_attack_limit=3),
            "3 cards until cards are beaten off, 5 cards, no more than",
        ),
        (Rules(attack_limit=1), "1 card, no more than"),
        (Rules(voluntary_take=False), "Who can beat must beat"),
        (Rules(transfer=True), "transferred to the left by a card of its rank"),
        (Rules(transfer=True, transfer_direction="right"), "transferred to the right by a card of its rank"),
        (Rules(transfer=True, transfer_by_showing_trump=True), "Showing the trump"),
        (Rules(teams="2x2"), "Two teams of two"),
        (Rules(epaulettes="announce"), "epaulettes"),
        (Rules(simultaneous_empty="defender_loses"), "the defender loses"),
    ],
)
def test_each_setting_has_its_sentence(rules: Rules, sentence: str) -> None:
    assert sentence in told(rules)


BESIDE: Mapping[str, Rules] = {
    **dict.fromkeys(
        [name for name in SETTINGS if name.startswith("transfer_")], replace(Rules(), transfer=True)
    ),
    "first_attack_limit_until": replace(Rules(), first_attack_limit=4),
    "redeal_needs_no_trump": replace(Rules(), redeal_same_suit=5),
    "team_order": replace(Rules(), teams="2x2"),
    "epaulette_non_trump": replace(Rules(), epaulettes="announce"),
    "scoring": replace(Rules(), epaulettes="announce"),
}
"""Settings that matter only beside others: rules beside which each does."""


@pytest.mark.parametrize("setting", SETTINGS)
def test_every_value_of_every_setting_is_told_apart(setting: str) -> None:
    rules = BESIDE.get(setting, Rules())
    values = [4 if value is int else value for value in SETTINGS[setting]]
    texts = {told(rules.with_options([f"{setting}={value_text(value)}"])) for value in values}
    assert len(texts) == len(values)


def test_what_is_off_is_not_told() -> None:
    text = told(Rules(throw_in="none", attack_limit=None, limit_by_defender_hand=False))
    for word in ("transferred", "after a take", "Limit of", "epaulettes", "Teams", "decks together"):
        assert word not in text
