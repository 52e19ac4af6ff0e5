"""A Telegram for tests: the Bot API on a local port, with simulated people."""

from tests.wire.telegram.ephemeral import Ephemerals
from tests.wire.telegram.faults import Loss
from tests.wire.telegram.people import CallbackAnswer, Person
from tests.wire.telegram.server import TOKEN, TelegramServer
from tests.wire.telegram.transcript import Sent, Transcript
from tests.wire.telegram.world import Button, Chat, Message, Status
