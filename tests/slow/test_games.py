"""The long run itself: a few games, and the report of a failed one."""

from random import Random

import pytest

from engine import PRESETS, Opening, Record
from tests.engine.rules.games import Moment, play
from tests.slow.games import Played, played, watched


@pytest.mark.parametrize("number", range(4))
def test_a_game_follows_from_its_number(number: int) -> None:
    first = played(number)
    assert (first.number, first.failure) == (number, "")
    assert played(number) == first


def test_the_run_stops_at_the_first_failure(capsys: pytest.CaptureFixture[str]) -> None:
    games = iter([Played(0, 80), Played(1, 7, "a card was lost"), Played(2, 90)])
    assert watched(games, 3) == Played(1, 7, "a card was lost")
    assert next(games).number == 2
    assert watched([Played(0, 80)], 1) is None
    assert "1 of 1 games, 80 moves" in capsys.readouterr().out


def test_a_failed_check_tells_the_game_so_far() -> None:
    seen: list[Moment] = []

    def fail_at_the_tenth(moment: Moment, _: Random) -> None:
        seen.append(moment)
        assert len(seen) < 10, "the tenth move"

    with pytest.raises(AssertionError, match="tenth") as failure:
        play(Opening(PRESETS["perevodnoy"], 3, "seed"), Random(0), fail_at_the_tenth)

    record = Record.from_text(failure.value.__notes__[0])
    assert len(record.actions) == 10
    assert record.replay() == seen[-1].after
