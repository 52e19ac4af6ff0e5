"""The bot's metrics for its owner, without data about people or cards."""

from collections.abc import Iterable

from prometheus_client import Counter, Gauge, Histogram

PRESSES = Counter("durak_presses", "Pressed buttons by what became of them.", ["outcome"])
REFUSALS = Counter("durak_refusals", "Refused presses and commands.", ["reason"])
COMMANDS_TYPED = Counter("durak_commands", "Typed commands.", ["name"])
DELIVERIES = Counter(
    "durak_deliveries", "Messages sent by what became of them.", ["platform", "kind", "outcome"]
)
GAMES = Counter("durak_games", "Finished games.")
UNREADABLE = Counter("durak_unreadable", "Events that a chat's library could not read.", ["platform"])
TASK_FAILURES = Counter("durak_task_failures", "Failed tasks, such as the line to a chat.", ["task"])
OPEN_VIEWS = Gauge("durak_open_views", "Open live tables by chat and door.", ["platform", "door"])
LINES_LOST = Counter("durak_log_lines_lost", "Log lines that could not be written.")
LAST_UPDATE = Gauge(
    "durak_chat_last_update_timestamp_seconds",
    "When the last command or press came from a chat; 0: none since the start.",
    ["platform"],
)

# The two ends of the time of a press: the answer was ready, and the chat had shown it.
ANSWERED = "answered"
SHOWN = "shown"

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
PRESS_SECONDS = Histogram(
    "durak_press_seconds",
    "Seconds from a press until its answer was ready, or was shown.",
    ["platform", "until"],
    buckets=SECONDS,
)
LOOP_LAG = Histogram(
    "durak_loop_lag_seconds",
    "Seconds by which the event loop woke late, once a second.",
    buckets=SECONDS,
)

# By kind: game, hint, review, puzzle. A review consists of many thoughts, and so does a search for puzzles.
THOUGHTS_ASKED = Counter("durak_thoughts_asked", "Slow thoughts that were asked for.", ["kind"])
THOUGHTS = Counter(
    "durak_thoughts",
    "Slow thoughts by what became of them: in_time, shortened, or replaced by a quicker player.",
    ["kind", "outcome"],
)
THOUGHT_SECONDS = Counter(
    "durak_thought_seconds",
    "Seconds that slow thoughts spent: waited for their turn, or thought.",
    ["kind", "spent"],
)
# Thoughts and thinkers by place; answers that came too late count as well.
HERE = "here"
CLUSTER = "cluster"
THOUGHTS_ANSWERED = Counter(
    "durak_thoughts_answered", "Slow thoughts that were thought, by place.", ["where"]
)
THINKERS = Gauge("durak_thinkers", "Thoughts that can be thought at the same time.", ["where"])
CALL_RATE = Gauge("durak_calls_a_second", "Calls a second that a chat is taken to accept.", ["platform"])


def start_at_zero(
    *,
    platforms: Iterable[str],
    outcomes: Iterable[str],
    reasons: Iterable[str],
    commands: Iterable[str],
    kinds: Iterable[str],
    deliveries: Iterable[str],
) -> None:
    """Creates the series of all labels with 0, so that the first event of each counts as an increase."""
    for platform in platforms:
        LAST_UPDATE.labels(platform)
        UNREADABLE.labels(platform)
        for until in (ANSWERED, SHOWN):
            PRESS_SECONDS.labels(platform, until)

        for kind in kinds:
            for delivery in deliveries:
                DELIVERIES.labels(platform, kind, delivery)

    for outcome in outcomes:
        PRESSES.labels(outcome)

    for reason in reasons:
        REFUSALS.labels(reason)

    for command in commands:
        COMMANDS_TYPED.labels(command)
