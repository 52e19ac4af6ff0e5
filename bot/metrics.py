"""The bot's metrics for its owner, without people and cards."""

from prometheus_client import Counter, Gauge, Histogram

PRESSES = Counter("durak_presses", "Pressed buttons by what became of them.", ["outcome"])
COMMANDS_TYPED = Counter("durak_commands", "Typed commands.", ["name"])
DELIVERIES = Counter(
    "durak_deliveries", "Messages sent by what became of them.", ["platform", "kind", "outcome"]
)
GAMES = Counter("durak_games", "Finished games.")
UNREADABLE = Counter("durak_unreadable", "Events that a chat's library could not read.", ["platform"])
TASK_FAILURES = Counter("durak_task_failures", "Failed tasks, such as the line to a chat.", ["task"])
LINES_LOST = Counter("durak_log_lines_lost", "Log lines that could not be written.")
LOOP_LAG = Histogram(
    "durak_loop_lag_seconds",
    "Seconds by which the event loop woke late, once a second.",
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)

# By kind: game, hint, review, puzzle. A review, and a search for puzzles, has many thoughts.
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
THINKERS = Gauge("durak_thinkers", "Thoughts that can be thought at the same time.", ["where"])
