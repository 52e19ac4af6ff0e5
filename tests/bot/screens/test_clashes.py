"""Settings that clash are refused in the words in which they were chosen."""

import re
from dataclasses import replace

import pytest

from bot.locale.messages import every_message
from bot.screens.setting_problems import REASONS, clash_text
from engine import PRESETS, SETTINGS, ClashReason, Rules
from tests.bot.screens.scenes import TRANSLATOR
from tests.engine.rules.test_settings import CLASHES, OBJECTIONS


@pytest.mark.parametrize(
    ("rules", "players", "reason"), [*CLASHES, *((rules, None, reason) for rules, reason in OBJECTIONS)]
)
def test_every_clash_has_a_sentence_that_can_be_translated(
    rules: Rules, players: int | None, reason: ClashReason
) -> None:
    for clash in rules.clashes(players):
        assert clash.reason in REASONS, reason
        english = clash_text(clash, TRANSLATOR)
        assert not [setting for setting in SETTINGS if "_" in setting and setting in english]
        assert not re.search(r"\dx\d", english)
        assert english.endswith(".")
        assert REASONS[clash.reason] in every_message()


def test_whoever_typed_a_setting_is_told_its_name_as_well_as_its_button() -> None:
    (clash,) = Rules(first_attack_limit=7).clashes()
    least = "Most cards, first attack"
    most = "Most cards in an attack"
    assert clash_text(clash, TRANSLATOR) == f"“{least}” can’t be more than “{most}”."
    assert (
        clash_text(clash, TRANSLATOR, is_typed=True)
        == f"“{least} (first_attack_limit)” can’t be more than “{most} (attack_limit)”."
    )


def test_every_reason_has_a_sentence() -> None:
    assert set(REASONS) == set(ClashReason)


def test_a_sentence_says_how_many_players_are_needed() -> None:
    clash = next(iter(replace(PRESETS["durnius"], deck="by_players").clashes(3)))
    assert clash_text(clash, TRANSLATOR) == "At least 4 players are needed."
