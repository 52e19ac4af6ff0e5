"""The two sides: what the bot asks of a chat, and what a chat reports to the bot."""

import asyncio
import heapq
import traceback
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Collection, Hashable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import count
from pathlib import Path
from typing import Protocol

from adapters.port.events import Command, Press, PrivateChatOpened, Reply, Suggestion, Typing
from adapters.port.refs import MessageRef, RoomRef, ServerRef, UserRef
from adapters.port.screens import Audience, Everyone, Only, Screen


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one message holds, in characters; read by paging, shortening and drawing."""

    buttons: int
    per_row: int
    label: int
    body: int
    toast: int
    # How long the text of a screen with a picture may be: a longer one can cost it the picture.
    caption: int = 1000
    # Whether a private message that changes with each press is better with a picture.
    private_pictures: bool = True
    # Whether who presses a public button can always be shown something alone there; else it waits in the
    # private chat.
    ephemeral_answers: bool = True
    # How long what was shown so can be changed after it was last pressed; 0: it is to be read once, or
    # stands beside the private messages anyway.
    ephemeral_seconds: float = 0.0
    boards: bool = False  # whether it draws running games itself, and needs no pictures of them
    forms: bool = False  # whether it can show choices as a form
    document: int = 9_000_000  # how many bytes one file may have
    # The right that the bot needs to pin messages, in the words of the chat's own settings; empty where
    # nothing can be pinned.
    pin_right: str = ""


@dataclass(frozen=True, slots=True)
class Budget:
    """How often one chat may be written to: `burst` messages at once, then one each `seconds`."""

    seconds: float
    burst: int


UNLIMITED = Budget(seconds=0.0, burst=1)  # a budget that is never used up


@dataclass(frozen=True, slots=True)
class Budgets:
    """The budgets of one room and of one private chat.

    An onlooker is shown the newest at least `onlooker_pause` seconds after what they were sent
    before. All chats together share the budget of the `whole` bot.
    """

    public: Budget
    private: Budget
    onlooker_pause: float = 0.0
    whole: Budget = UNLIMITED


# --- Outcomes ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Delivered:
    """It is there; `ref` edits it."""

    ref: MessageRef


@dataclass(frozen=True, slots=True)
class NeedsOptIn:
    """This person has not allowed the bot to write to them."""

    user: UserRef


@dataclass(frozen=True, slots=True)
class Throttled:
    """Not now: try again after `retry_after` seconds. Network trouble and server errors are this, too.

    `is_flood`: The platform says that there were too many calls, be it in this chat or of the whole bot.
    """

    retry_after: float
    is_flood: bool = False


# It was not tried, as the whole bot makes as many calls as it may: the newest is sent in its turn.
NOT_SENT = Throttled(0.0)


class Lost(Enum):
    """What is gone."""

    MESSAGE = auto()  # post it again
    ROOM = auto()  # the bot was removed, the room deleted, the right to write taken away
    CONTENT = auto()  # the chat refuses this content: sending it again would be refused again


@dataclass(frozen=True, slots=True)
class Gone:
    """It cannot be delivered; `why` is for the log and holds nothing private."""

    what: Lost
    why: str


Delivery = Delivered | NeedsOptIn | Throttled | Gone


def unknown_recipient(audience: Audience) -> Delivery:
    """Return what becomes of a message to a person or a room whose id is none of the chat's."""
    match audience:
        case Only(user):
            return NeedsOptIn(user)
        case Everyone():
            return Gone(Lost.ROOM, "no such room")


def code_location(error: BaseException) -> str:
    """Return where in the code an error was raised; unlike its message, that quotes nothing people wrote."""
    frames = traceback.extract_tb(error.__traceback__)[-2:]
    return "; ".join(f"{Path(each.filename).name}:{each.lineno} {each.line}" for each in frames)


def is_refused(delivery: Delivery) -> bool:
    """Return whether the chat does not take this content."""
    return isinstance(delivery, Gone) and delivery.what is Lost.CONTENT


# --- What a chat lets the bot fasten to a person's name, for all to see: a tag, or a role ---


class BadgeTrouble(Enum):
    """Why a person cannot wear a badge, or cannot be rid of it."""

    NO_RIGHT = auto()  # the bot lacks `Badges.right`
    ABOVE = auto()  # the badge is above what the bot may give
    RANKED = auto()  # this person is, whatever right the bot has
    LEFT = auto()  # this person is no member
    NO_BADGE = auto()  # it was deleted, or never chosen
    FULL = auto()  # there can be no more badges
    NOT_HERE = auto()  # the bot is not there, or there are no badges there
    REFUSED = auto()  # anything else


BadgeProblem = BadgeTrouble | Throttled  # why not, or why not now


@dataclass(frozen=True, slots=True)
class OfferedBadge:
    """A badge of a server that the bot may give, and what it is called there."""

    id: str
    name: str


class Badges(Protocol):
    """Where a chat has badges. A mark is what a member wears: words, or the id of a badge; empty: nothing."""

    @property
    def right(self) -> str:
        """The right that the bot needs, in the words of the chat's own settings."""

    @property
    def are_chosen(self) -> bool:
        """Whether marks are badges of the server, one of which is chosen or made; else they are words."""

    async def offered(self, server: ServerRef) -> Sequence[OfferedBadge]:
        """Return the badges that the bot may give; none where that cannot be told."""

    async def make(self, server: ServerRef, name: str) -> str | BadgeProblem:
        """Make a badge that gives no rights; return its id."""

    async def problem(self, server: ServerRef, badge: str) -> BadgeProblem | None:
        """Return what would stand in the way of giving a badge to an ordinary member."""

    async def worn(self, server: ServerRef, user: UserRef, badge: str) -> str | BadgeProblem:
        """Return the mark that a person wears; of badges only this one counts."""

    async def wear(self, server: ServerRef, user: UserRef, mark: str, before: str) -> BadgeProblem | None:
        """Let a person wear a mark in the place of what they wore `before`; twice is no more than once."""


# --- Pinned messages ---


class PinTrouble(Enum):
    """Why a message is not pinned."""

    NO_RIGHT = auto()  # the bot lacks `Limits.pin_right`
    FULL = auto()  # there can be no more pinned messages
    REFUSED = auto()  # anything else


# --- The two sides ----------------------------------------------------------------------------------------


class ChatPort(Protocol):
    """What the bot may ask of a chat. Few verbs; none raises for what a chat can do to a message."""

    @property
    def platform(self) -> str:
        """The platform's name in every ref: `discord`, `telegram`, `web`."""

    @property
    def limits(self) -> Limits:
        """How much one message holds."""

    @property
    def budgets(self) -> Budgets:
        """How often a chat may be written to; who sends keeps to it."""

    @property
    def calls(self) -> "CallLimiter":
        """Admits the calls of the whole bot; who sends asks it first."""

    async def post(self, audience: Audience, screen: Screen, key: str = "") -> Delivery:
        """Send a new message; without its picture, where the chat takes none.

        `key` (at most 25 characters) names it: a chat that can tell gives back the message that it got with
        this key a moment ago, as it was, and shows no second one. Empty: it is posted once.
        """

    async def edit(self, ref: MessageRef, screen: Screen) -> Delivery:
        """Make a message show `screen` and nothing of what it showed; an unchanged message is `Delivered`."""

    async def delete(self, ref: MessageRef) -> Delivery:
        """Remove a message; one that is gone already is `Delivered`."""

    async def pin(self, ref: MessageRef, *, is_pinned: bool) -> PinTrouble | Throttled | None:
        """Pin a message without a sound, or unpin it; one that is gone is None, as one that is pinned."""

    async def is_moderator(self, user: UserRef, room: RoomRef) -> bool:
        """Return whether this person may manage messages in the room; False when the chat cannot say."""


class Inbox(Protocol):
    """What a chat reports. The bot answers within a second; it raises nothing."""

    async def command(self, command: Command) -> Reply:
        """Answer a typed command."""

    async def suggest(self, typing: Typing) -> Sequence[Suggestion]:
        """Suggest completions of an argument, the likeliest first."""

    async def press(self, press: Press) -> Reply:
        """Answer a pressed button."""

    async def added(self, room: RoomRef, locale: str) -> Reply:
        """Greet the room to which, or to whose server, the bot was added; they speak `locale` there."""

    async def private_chat_opened(self, event: PrivateChatOpened) -> Reply:
        """Answer a person who opened the private chat."""

    def press_answered(self, press: Press, reply: Reply, delivery: Delivery) -> None:
        """Report what became of a press's `reply.private`: once after each press that was given one."""

    def command_answered(self, command: Command, reply: Reply, delivery: Delivery) -> None:
        """Report what became of a command's `reply.private` that was shown where it was typed."""

    def public_answered(self, command: Command, reply: Reply, delivery: Delivery) -> None:
        """Report what became of `reply.public`, the answer to a command that has an `answer_key`."""

    def event_skipped(self, platform: str, event: str, error: Exception) -> None:
        """Report an event that could not be read, by its id or kind; nothing of what it held."""

    async def room_moved(self, old: RoomRef, new: RoomRef) -> None:
        """A room goes on under a new id."""

    async def became_unreachable(self, where: RoomRef | UserRef) -> None:
        """The bot may no longer write in this room (its topics included), or to this person."""

    async def room_deleted(self, room: RoomRef) -> None:
        """A room is gone for good, with its topics."""

    async def became_reachable(self, where: RoomRef | UserRef) -> None:
        """The bot may write in this room (and in its topics), or to this person, perhaps again."""


class Adapter(ChatPort, Protocol):
    """A chat with its life cycle."""

    @property
    def ready(self) -> bool:
        """Whether the chat is connected and events arrive."""

    async def run(self, inbox: Inbox) -> None:
        """Connect, announce the commands, and deliver events until cancelled.

        Reconnects by itself after network trouble. After anything unforeseen it is called again.

        Raises:
            AccessDeniedError: The platform does not accept the token.
        """

    @property
    def badges(self) -> Badges | None:
        """What can be fastened to a person's name, where the chat has such."""

    def private_server(self, user: UserRef) -> ServerRef | None:
        """Return the community that is this person's own chat with the bot, where the chat has such."""

    async def forget_person(self, user: UserRef, names: Collection[str]) -> Collection[MessageRef]:
        """Forget what the chat itself keeps about a person who was shown under these `names`.

        Nothing reaches them any more until they come again. Gives the messages that do not show any more what
        they were sent to show.
        """


class AccessDeniedError(Exception):
    """The platform refused the credentials; the message names the setting to mend."""


# --- Token bucket -----------------------------------------------------------------------------------------


class TokenBucket:
    """A budget and what is left of it: `burst` tokens at most, and a new one each `seconds`.

    Each method is told the time `now` in seconds, by a clock that never goes back. A budget of no seconds is
    never used up.
    """

    def __init__(self, budget: Budget) -> None:
        self._seconds, self._burst = budget.seconds, budget.burst
        self._full_at = float("-inf")

    def is_full(self, now: float) -> bool:
        """Return whether the bucket is full, like a new one."""
        return self._full_at <= now

    def wait(self, now: float, tokens: int = 1) -> float:
        """Return the seconds until there are so many tokens."""
        return max(0.0, self._full_at - now - (self._burst - tokens) * self._seconds)

    def take(self, now: float) -> None:
        """Take a token, even from an empty bucket; the debt never exceeds one burst."""
        if self._seconds:
            most = now + 2 * self._burst * self._seconds
            self._full_at = min(max(self._full_at, now) + self._seconds, most)

    def give_back(self) -> None:
        """Put back a token that was not used."""
        self._full_at -= self._seconds


# --- The budget of a whole bot ----------------------------------------------------------------------------

Rank = tuple[int, float]  # a class of calls and a time; the least is admitted first


@dataclass(order=True, slots=True)
class Turn:
    """A call that waits for its turn; once admitted, it may be made."""

    rank: Rank
    number: int
    tell: Callable[[], object] = field(compare=False)
    is_admitted: bool = field(default=False, compare=False)
    is_over: bool = field(default=False, compare=False)


class CallLimiter:
    """Limits the rate of a bot's calls to its platform, the least rank first: all chats share one budget.

    Calls are admitted evenly, but what counts is when they arrive: some time until they are answered. So no
    more are under way, or were answered within the last second, than the budget admits in a second. A message
    is rendered after its call was admitted, so no stale state is sent.
    """

    def __init__(self, budget: Budget) -> None:
        self._bucket = TokenBucket(budget)
        self._most = round(budget.burst + 1 / budget.seconds) if budget.seconds else float("inf")
        self._under_way = 0
        self._answered = deque[float]()
        self._waiting: list[Turn] = []
        self._numbers = count()
        self._paused_until = float("-inf")
        self._timer: asyncio.TimerHandle | None = None
        self._waiting_in = Counter[Hashable]()

    def would_wait(self) -> bool:
        """Whether a call would have to wait now."""
        return self._wait() > 0

    def take(self) -> None:
        """Count a call that did not wait for its turn; `end` ends it."""
        self._bucket.take(asyncio.get_running_loop().time())
        self._under_way += 1

    def end(self, calls: int = 1) -> None:
        """Note that these calls were answered."""
        self._under_way -= calls
        self._answered.extend([asyncio.get_running_loop().time()] * calls)
        self._admit()

    def give_back(self) -> None:
        """Release the turn of a call that was not made."""
        self._under_way -= 1
        self._bucket.give_back()
        self._admit()

    def ask(self, rank: Rank, tell: Callable[[], object]) -> Turn:
        """Queue a call; `tell` is called when it is admitted, which may be at once."""
        turn = Turn(rank, next(self._numbers), tell)
        heapq.heappush(self._waiting, turn)
        self._admit()
        return turn

    def leave(self, turn: Turn) -> None:
        """Withdraw a call, admitted or not."""
        turn.is_over = True
        if turn.is_admitted:
            self.give_back()

    @asynccontextmanager
    async def turn(self, chat: Hashable, *, can_wait: float = 0.0) -> AsyncIterator[None]:
        """Admit a call to a chat: ahead of all others, or as one that can wait; it ends with the block.

        It can wait a second for each call that waits there already: many commands hold up no other chat.
        """
        now, told = asyncio.get_running_loop().time(), asyncio.Event()
        can_wait += self._waiting_in[chat]
        turn = self.ask((1, now + can_wait) if can_wait else (0, now), told.set)
        self._waiting_in[chat] += 1
        try:
            await told.wait()
        except asyncio.CancelledError:
            self.leave(turn)
            raise
        finally:
            self._waiting_in -= Counter([chat])
        try:
            yield
        finally:
            self.end()

    def rest(self, seconds: float) -> None:
        """Admit no call for this many seconds: the platform has throttled the whole bot."""
        self._paused_until = max(self._paused_until, asyncio.get_running_loop().time() + seconds)

    def _wait(self) -> float:
        """Return the seconds until a call may be admitted; infinite: until one is answered."""
        now = asyncio.get_running_loop().time()
        while self._answered and self._answered[0] <= now - 1:
            self._answered.popleft()
        wait = max(self._bucket.wait(now), self._paused_until - now)
        if self._under_way + len(self._answered) < self._most:
            return wait
        return max(wait, self._answered[0] + 1 - now) if self._answered else float("inf")

    def _admit(self) -> None:
        """Admit the calls that the budget allows, and schedule the next check."""
        while self._waiting:
            if self._waiting[0].is_over:
                heapq.heappop(self._waiting)
                continue
            if (wait := self._wait()) > 0:
                if self._timer is None and wait < float("inf"):
                    self._timer = asyncio.get_running_loop().call_later(wait, self._admit_later)
                return
            turn = heapq.heappop(self._waiting)
            self.take()
            turn.is_admitted = True
            turn.tell()

    def _admit_later(self) -> None:
        self._timer = None
        self._admit()
