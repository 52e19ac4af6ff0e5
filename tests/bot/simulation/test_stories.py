"""Stories of six people in two rooms, in which everything that may go wrong goes wrong."""

from pathlib import Path

import pytest

from bot.app import REGISTRY
from tests.bot.messages import text_of
from tests.bot.simulation.playing import failure_of, play, shortest
from tests.bot.simulation.story import WORDS, story_of

QUICK_STORIES = 3
STORIES = 100  # with the slow ones; `python -m tests.slow.stories` plays any number

seeds = pytest.mark.parametrize(
    "seed",
    [
        *range(QUICK_STORIES),
        *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(QUICK_STORIES, STORIES)),
    ],
)


@seeds
def test_whatever_happens_no_move_is_lost_and_nobody_is_left_waiting(empty_database: Path, seed: int) -> None:
    story = story_of(seed)
    if failure_of(story, empty_database):
        story = shortest(story, empty_database)
        why = failure_of(story, empty_database)
        pytest.fail("\n".join([why, *map(str, story)]), pytrace=False)


def test_words_of_stories_follow_commands_that_exist() -> None:
    assert WORDS.keys() <= REGISTRY.commands.keys()


def test_a_story_happens_the_same_way_each_time(empty_database: Path) -> None:
    def trace() -> list[tuple[object, ...]]:
        sent = play(story_of(0)[:20], empty_database)
        return [(each.verb, each.place, each.screen and text_of(each.screen)) for each in sent]

    assert trace() == trace()
