"""Settings that cannot be together are refused in the words of whoever chose them."""

import pytest

from bot.locale import Voice
from bot.screens.clashes import MESSAGES, clash_text
from engine import ClashReason, Rules
from tests.bot.screens.scenes import VOICE
from tests.engine.rules.test_settings import CLASHES, OBJECTIONS


@pytest.mark.parametrize(
    ("rules", "players", "reason"), [*CLASHES, *((rules, None, reason) for rules, reason in OBJECTIONS)]
)
def test_every_clash_is_told_in_every_language(
    rules: Rules, players: int | None, reason: ClashReason
) -> None:
    for clash in rules.clashes(players):
        assert clash.message in MESSAGES, reason
        assert clash_text(clash, VOICE) == clash.sentence
        assert clash_text(clash, Voice("lt")) != clash.sentence
