"""The bot's metrics for its owner, without people and cards."""

from prometheus_client import Counter

PRESSES = Counter("durak_presses", "Pressed buttons by what became of them.", ["outcome"])
COMMANDS_TYPED = Counter("durak_commands", "Typed commands.", ["name"])
DELIVERIES = Counter(
    "durak_deliveries", "Messages sent by what became of them.", ["platform", "kind", "outcome"]
)
GAMES = Counter("durak_games", "Finished games.")
UNREADABLE = Counter("durak_unreadable", "Events that a chat's library could not read.", ["platform"])
CHAT_FAILURES = Counter("durak_chat_failures", "Unforeseen ends of the line to a chat.", ["platform"])
LINES_LOST = Counter("durak_log_lines_lost", "Log lines that could not be written.")
