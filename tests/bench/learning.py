"""Learning a hidden rate limit, how fast and how well: `python -m tests.bench.learning`.

The bot always has something to send. The platforms are those of the tests, and their seconds pass at once.

The bot always has something to send. The platforms are those of the tests, and their seconds pass at once.
"""

from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import dataclass

from tests.adapters.busy_bot import Busy, HiddenDiscord, HiddenTelegram, played

SECONDS = 600.0
PERIOD = 300.0  # seconds from a change of the limit to the next
LEARNING_SECONDS = 120.0
CHANGES = {0.0: 60, 300.0: 30, 600.0: 60}
FIXED: tuple[int | None, ...] = (25, 30, 60, None)
COLUMNS = (
    "limit",
    "after two minutes",
    "of the limit",
    "refused",
    "first refusal after",
    "learned in the end",
)


@dataclass(frozen=True)
class Course:
    """A platform's limit over time; the figures of its row begin two minutes later."""

    title: str
    limit: int | None
    began: float = 0.0
    ended: float = SECONDS

    def row(self, busy: Busy) -> str:
        """Returns its line of the table."""
        sent = busy.throughput(self.began + LEARNING_SECONDS, self.ended)
        first = next((f"{at - self.began:.0f} s" for at in busy.refused if at > self.began), "-")
        share = "-" if self.limit is None else f"{100 * sent / self.limit:.0f} %"
        refusals = f"{100 * busy.refusals:.2f} %"
        return _line(self.title, f"{sent:.1f}/s", share, refusals, first, f"{busy.calls.rate}/s")


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Prints the table."""
    ArgumentParser(prog="python -m tests.bench.learning", description=__doc__).parse_args()
    print(_line(*COLUMNS), "|---" * len(COLUMNS) + "|", sep="\n", flush=True)
    for platform, name in ((HiddenTelegram, "Telegram"), (HiddenDiscord, "Discord")):
        for limit in FIXED:
            busy = played(platform, SECONDS, {0.0: limit})
            print(Course(f"{name}, {limit or 'none'}", limit).row(busy), flush=True)

        changed: Mapping[float, int | None] = {**CHANGES}
        busy = played(platform, len(CHANGES) * PERIOD, changed)
        for began, limit in CHANGES.items():
            course = Course(f"{name}, {limit} from {began:.0f} s on", limit, began, began + PERIOD)
            print(course.row(busy), flush=True)


if __name__ == "__main__":
    main()
