"""Faults on demand: refusals, floods, slow and lost answers; and, optionally, the real budgets."""

import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from math import ceil

from tests.wire.telegram.errors import ApiError, flood

WRITING = frozenset(
    {
        "sendMessage",
        "sendPhoto",
        "sendDocument",
        "sendAnimation",
        "editMessageText",
        "editMessageCaption",
        "editMessageMedia",
        "editMessageReplyMarkup",
    }
)


WHOLE_BOT = None  # the key of the budget that all chats share


def budget_of(chat: int) -> tuple[int, float]:
    """Returns the number of messages and edits that a chat accepts, and the seconds that it counts for."""
    return (20, 60.0) if chat < 0 else (5, 5.0)


class Loss(Enum):
    """The moment at which a connection breaks: before or after the request is carried out."""

    BEFORE = auto()
    AFTER = auto()


@dataclass
class Fault:
    """A fault of the next `times` requests with this method and chat; None: with any."""

    method: str | None = None
    chat: int | None = None
    times: int = 1
    error: ApiError | None = None
    delay: float = 0.0
    loss: Loss | None = None
    nonsense: object = None

    def fits(self, method: str, chat: int | None) -> bool:
        """Returns whether the fault concerns this request."""
        return (
            self.times > 0
            and (method in WRITING if self.method is None else method == self.method)
            and self.chat in {None, chat}
        )


class Faults:
    """The faults to come; one without a method concerns every message and edit.

    Attributes:
        budgets_enforced: Whether Telegram's limits of messages and edits are enforced.
        whole_bot: The messages and edits that are accepted per second of the whole bot; None: any number.
        spent: The number of counted messages and edits, refused ones included.
        floods: The number of refused ones: for the whole bot, in groups, in private chats.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self.budgets_enforced = False
        self.whole_bot: int | None = 30
        self.spent = 0
        self.floods: Counter[str] = Counter()
        self._waiting: list[Fault] = []
        self._written: dict[int | None, deque[float]] = defaultdict(deque)

    def throttle(
        self, seconds: int, *, chat: int | None = None, method: str | None = None, times: int = 1
    ) -> None:
        """Answers the next requests with "too many requests"."""
        self._waiting.append(Fault(method, chat, times, error=flood(seconds)))

    def refuse(
        self,
        code: int,
        description: str,
        *,
        chat: int | None = None,
        method: str | None = None,
        times: int = 1,
    ) -> None:
        """Answers the next requests with an error."""
        self._waiting.append(Fault(method, chat, times, error=ApiError(code, description)))

    def slow(
        self, seconds: float, *, chat: int | None = None, method: str | None = None, times: int = 1
    ) -> None:
        """Answers the next requests late."""
        self._waiting.append(Fault(method, chat, times, delay=seconds))

    def drop(
        self, loss: Loss = Loss.BEFORE, *, chat: int | None = None, method: str | None = None, times: int = 1
    ) -> None:
        """Breaks the connections of the next requests instead of answering."""
        self._waiting.append(Fault(method, chat, times, loss=loss))

    def babble(self, nonsense: object, *, method: str, times: int = 1) -> None:
        """Answers the next requests with a result outside the published API."""
        self._waiting.append(Fault(method, times=times, nonsense=nonsense))

    def next(self, method: str, chat: int | None) -> Fault | None:
        """Takes the fault of this request, if any."""
        for fault in self._waiting:
            if fault.fits(method, chat):
                fault.times -= 1
                return fault
        return None

    def spend(self, method: str, chat: int | None) -> None:
        """Counts a request against the budgets of the bot and of the chat.

        Raises:
            ApiError: One of the budgets is spent, and they are enforced.
        """
        if not self.budgets_enforced or method not in WRITING or chat is None:
            return

        self.spent += 1
        now = self._now()
        for key in (WHOLE_BOT, chat):
            allowed, span = (self.whole_bot, 1.0) if key is WHOLE_BOT else budget_of(key)
            if allowed is None:
                continue

            written = self._written[key]
            while written and now - written[0] > span:
                written.popleft()

            if len(written) >= allowed:
                self.floods["bot" if key is WHOLE_BOT else "group" if key < 0 else "private"] += 1
                raise flood(ceil(span - (now - written[0])))

        for key in (WHOLE_BOT, chat):
            self._written[key].append(now)
