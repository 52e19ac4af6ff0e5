"""Plays stories with everything going wrong, from any seed on; prints the shortest one of each failure.

python -m tests.slow.stories --first 60 --stories 500
"""

import argparse
import sys

from tests.bot.simulation.playing import an_empty_database, failure_of, shortest
from tests.bot.simulation.story import story_of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--stories", type=int, default=500, help="how many seeds")
    wish = parser.parse_args()

    failures = 0
    with an_empty_database() as empty:
        for seed in range(wish.first, wish.first + wish.stories):
            story = story_of(seed)
            if not failure_of(story, empty):
                continue

            failures += 1
            story = shortest(story, empty)
            print(f"seed {seed}: {failure_of(story, empty)}", *story, sep="\n", flush=True)

    print(f"{wish.stories} stories, {failures} went wrong")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
