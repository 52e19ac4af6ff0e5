"""The counts of games and the playthroughs are still what they were when somebody read them."""

from pathlib import Path

import pytest

from engine import PRESETS
from tests.engine.rules import perft, playthrough
from tests.golden import REGENERATE, assert_approved


@pytest.mark.parametrize(
    "block", perft.blocks(perft.FILE.read_text()), ids=lambda block: block.split("\n")[0]
)
def test_as_many_games_begin_here_as_ever(block: str) -> None:
    assert perft.recounted(block) == block, f"`{REGENERATE} perft` writes it, if this is wanted"


@pytest.mark.parametrize("file", playthrough.FILES, ids=lambda file: file.stem)
def test_everybody_sees_what_he_saw_in_this_game(file: Path) -> None:
    text = file.read_text()
    assert_approved(playthrough.regenerated(text), file, "playthroughs")


def test_there_is_a_playthrough_of_every_preset() -> None:
    played = {playthrough.record_of(file.read_text()).opening.rules for file in playthrough.FILES}
    assert set(PRESETS.values()) <= played
