"""The state of one message as a value: what is shown, what is wanted, and what is being done about it.

A state changes by events alone: each is something that has happened to a message, and knows the state that
follows from the one before. Times are in seconds of the event loop.
"""

from dataclasses import dataclass, replace
from typing import Any, Protocol

from adapters.port import MessageRef, Screen, UserRef
from bot.model.messages import UNKNOWN, PendingMessage, Place, SentMessage, Urgency

NEVER = float("-inf")


# --- the three parts of a state --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Call:
    """What a call says: its words, and the people that it mentions."""

    words: str
    people: frozenset[UserRef]

    @classmethod
    def of(cls, screen: Screen) -> "Call":
        """Returns what the screen of a call says; the commas between names are not among its words."""
        words = "".join(span.text for span in screen.body if span.mention is None)
        people = frozenset(span.mention for span in screen.body if span.mention is not None)
        return cls(words.replace(", ", ""), people)

    def names_fewer(self, before: "Call") -> bool:
        """Returns whether it says the same as one before to some of the people that one mentioned."""
        return self.words == before.words and bool(self.people) and self.people < before.people


@dataclass(frozen=True, slots=True)
class Shown:
    """What the chat shows, as far as is known; the first three are kept on disk.

    Attributes:
        ref: The place of the message in its chat; None while it is not there.
        digest: Of the screen that it shows, or will show once it is posted.
        is_pinned: Whether the bot has pinned it, or is about to.
        replaced: Its former place while a new message is about to take over: links may lead there until then.
        posted_at: When this process posted it.
        changes: How many of the changes that were wanted it shows.
        call: Whom a call mentions, and its words for them; None where that is not known.
        refused: The digest of a screen that the chat did not take.
        unpinnable: The place of the message that the chat did not pin.
    """

    ref: MessageRef | None = None
    digest: str = UNKNOWN
    is_pinned: bool = False
    replaced: MessageRef | None = None
    posted_at: float = NEVER
    changes: int = 0
    call: Call | None = None
    refused: str | None = None
    unpinnable: MessageRef | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the message should be.

    Attributes:
        place: Its reader, and how it is shown to them; while it is None nothing is sent: its subject was not
            looked at yet, or its reader was forgotten.
        is_renewed: Whether it is to be shown in a new message, where it is seen at once.
        changes: How often it has changed.
        urgency: How soon the newest change is to be sent.
        queued_at: Since when it has been waiting to be sent.
        found: A message that was pressed though it shows no slot, and is taken for this one.
    """

    place: Place | None = None
    is_renewed: bool = False
    changes: int = 0
    urgency: Urgency = Urgency.ORDINARY
    queued_at: float = NEVER
    found: MessageRef | None = None


@dataclass(frozen=True, slots=True)
class Doing:
    """What is under way, whose end is not known yet.

    Attributes:
        key: By which the chat recognizes the message while it is posted; empty at any other time.
        is_doubled: Whether it was posted again after an attempt that may have arrived: then there may be two.
        presses: How many presses on it are still to be answered.
        is_crowded: Whether several things were sent to it at the same time, so that it may show any of them.
        held_until: Before this time nothing is sent: an answer is about to be, or an error was a moment ago.
        failures: How often in a row sending it went wrong.
    """

    key: str = ""
    is_doubled: bool = False
    presses: int = 0
    is_crowded: bool = False
    held_until: float = NEVER
    failures: int = 0

    @property
    def may_have_arrived(self) -> bool:
        """Whether the chat may have a message of it that nobody knows."""
        return bool(self.key) or self.is_doubled


@dataclass(frozen=True, slots=True)
class MessageState:
    """All that is known of a message."""

    shown: Shown = Shown()
    wanted: Wanted = Wanted()
    doing: Doing = Doing()

    def showing(self, **facts: Any) -> "MessageState":
        """Returns it with other facts of what is shown."""
        return replace(self, shown=replace(self.shown, **facts))

    def wanting(self, **facts: Any) -> "MessageState":
        """Returns it with other facts of what is wanted."""
        return replace(self, wanted=replace(self.wanted, **facts))

    def busy_with(self, **facts: Any) -> "MessageState":
        """Returns it with other facts of what is being done."""
        return replace(self, doing=replace(self.doing, **facts))


UNSEEN = MessageState()  # of a message of which nothing is known


class MessageEvent(Protocol):
    """Something that has happened to a message."""

    def after(self, state: MessageState) -> MessageState:
        """Returns the state that follows from the one before."""


# --- what is wanted -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Placed:
    """Its subject was looked at: it has this place, or none if its reader was forgotten."""

    place: Place | None

    def after(self, state: MessageState) -> MessageState:
        """A renewed place needs a new message only where one is in the chat already."""
        is_there = state.shown.ref is not None
        is_renewed = self.place is not None and self.place.is_renewed and is_there
        return state.wanting(place=self.place, is_renewed=state.wanted.is_renewed or is_renewed)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Its subject was looked at, and has no place for it."""

    def after(self, state: MessageState) -> MessageState:
        """It stays where it is, and is not pinned there."""
        place = state.wanted.place
        return state if place is None else state.wanting(place=replace(place, is_pinned=False))


@dataclass(frozen=True, slots=True)
class Changed:
    """It may have to show something else."""

    def after(self, state: MessageState) -> MessageState:
        """It is dirty until this change is shown."""
        return state.wanting(changes=state.wanted.changes + 1)


@dataclass(frozen=True, slots=True)
class Queued:
    """It waits to be sent, since this time."""

    urgency: Urgency
    at: float

    def after(self, state: MessageState) -> MessageState:
        """It has a rank among all that wait."""
        return state.wanting(urgency=self.urgency, queued_at=self.at)


@dataclass(frozen=True, slots=True)
class Renewed:
    """It is to be shown in a new message, or no longer."""

    is_due: bool = True

    def after(self, state: MessageState) -> MessageState:
        """Asks for a new message in place of the one that is there, or no longer does."""
        return state.wanting(is_renewed=self.is_due)


@dataclass(frozen=True, slots=True)
class Found:
    """A message that was pressed is taken for it; None once that is done."""

    ref: MessageRef | None

    def after(self, state: MessageState) -> MessageState:
        """It moves there when it is sent next."""
        return state.wanting(found=self.ref)


# --- what is shown --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Loaded:
    """It was read from disk."""

    saved: SentMessage | PendingMessage

    def after(self, state: MessageState) -> MessageState:
        """A kill may have left it in mid-post."""
        saved = self.saved
        if isinstance(saved, PendingMessage):
            return state.showing(digest=saved.digest).busy_with(key=saved.key)
        return state.showing(ref=saved.ref, digest=saved.digest, is_pinned=saved.is_pinned)


@dataclass(frozen=True, slots=True)
class Posting:
    """It is about to be posted, with a new key."""

    digest: str
    key: str

    def after(self, state: MessageState) -> MessageState:
        """After an attempt that may have arrived the first key stays.

        If that attempt showed something else, nobody knows what will be shown.
        """
        first = state.doing.key
        if not first:
            return state.showing(digest=self.digest).busy_with(key=self.key)

        is_same = state.shown.digest == self.digest
        return state if is_same else state.showing(digest=UNKNOWN)


@dataclass(frozen=True, slots=True)
class PostedAgain:
    """It is sent again though an earlier attempt may have arrived."""

    def after(self, state: MessageState) -> MessageState:
        """There may be two of it."""
        return state.busy_with(is_doubled=True)


@dataclass(frozen=True, slots=True)
class Arrived:
    """A message of the chat shows it."""

    ref: MessageRef
    digest: str

    def after(self, state: MessageState) -> MessageState:
        """What was pinned was the message before."""
        is_pinned = state.shown.is_pinned and self.ref == state.shown.ref
        shown_after = state.showing(ref=self.ref, digest=self.digest, is_pinned=is_pinned, replaced=None)
        return shown_after.busy_with(key="")


@dataclass(frozen=True, slots=True)
class CameIntoSight:
    """It has come into the chat, at this time."""

    at: float

    def after(self, state: MessageState) -> MessageState:
        """It is in sight for a while."""
        return state.showing(posted_at=self.at)


@dataclass(frozen=True, slots=True)
class Vanished:
    """It is not in its chat, or has not arrived there; perhaps a new message is about to take over."""

    is_replaced: bool = False

    def after(self, state: MessageState) -> MessageState:
        """Nothing is left of it but the place to which links may lead."""
        replaced = state.shown.ref if self.is_replaced else None
        gone = state.showing(ref=None, digest=UNKNOWN, is_pinned=False, replaced=replaced)
        return gone.busy_with(key="")


@dataclass(frozen=True, slots=True)
class Doubted:
    """The chat may have changed it by itself."""

    def after(self, state: MessageState) -> MessageState:
        """It may show anything."""
        return state.showing(digest=UNKNOWN)


@dataclass(frozen=True, slots=True)
class Told:
    """A call is about to say this; `is_news` where somebody has to notice it."""

    call: Call
    is_news: bool

    def after(self, state: MessageState) -> MessageState:
        """News are a new message: an edit would ring nobody."""
        return state.showing(call=self.call).wanting(is_renewed=state.wanted.is_renewed or self.is_news)


@dataclass(frozen=True, slots=True)
class ScreenRefused:
    """The chat did not take the screen with this digest."""

    digest: str

    def after(self, state: MessageState) -> MessageState:
        """It is not sent again until it changes."""
        return state.showing(refused=self.digest)


@dataclass(frozen=True, slots=True)
class Pinned:
    """It is pinned or about to be, or it isn't."""

    is_pinned: bool

    def after(self, state: MessageState) -> MessageState:
        """A kill at any moment leaves nothing pinned that is not unpinned in time."""
        return state.showing(is_pinned=self.is_pinned)


@dataclass(frozen=True, slots=True)
class PinRefused:
    """The chat did not pin it."""

    def after(self, state: MessageState) -> MessageState:
        """This message is not tried again."""
        return state.showing(unpinnable=state.shown.ref)


@dataclass(frozen=True, slots=True)
class UpToDate:
    """It shows so many of the changes that were wanted."""

    changes: int

    def after(self, state: MessageState) -> MessageState:
        """Changes that came meanwhile are still to be shown."""
        return state.showing(changes=max(state.shown.changes, self.changes))


# --- what is being done ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Held:
    """It is left to an answer until this time."""

    until: float

    def after(self, state: MessageState) -> MessageState:
        """Nothing else is sent to it meanwhile."""
        return state.busy_with(held_until=self.until)


@dataclass(frozen=True, slots=True)
class Released:
    """No answer is going to show it."""

    def after(self, state: MessageState) -> MessageState:
        """It may be sent at once."""
        return state.busy_with(held_until=NEVER)


@dataclass(frozen=True, slots=True)
class Pressed:
    """Somebody has pressed it, and is about to be answered in it."""

    def after(self, state: MessageState) -> MessageState:
        """Two answers at the same time may come in any order."""
        others = state.doing.presses
        return state.busy_with(presses=others + 1, is_crowded=state.doing.is_crowded or others > 0)


@dataclass(frozen=True, slots=True)
class AnsweredWhileSent:
    """The answer to a press is sent to it during an edit."""

    def after(self, state: MessageState) -> MessageState:
        """The two may come in any order."""
        return state.busy_with(is_crowded=True)


@dataclass(frozen=True, slots=True)
class PressAnswered:
    """A press on it was answered."""

    def after(self, state: MessageState) -> MessageState:
        """After the last answer it is calm again."""
        left = state.doing.presses - 1
        return state.busy_with(presses=left, is_crowded=state.doing.is_crowded and left > 0)


@dataclass(frozen=True, slots=True)
class Sent:
    """Sending it raised no error."""

    def after(self, state: MessageState) -> MessageState:
        """The next error is the first one."""
        return state.busy_with(failures=0)


@dataclass(frozen=True, slots=True)
class Failed:
    """Sending it went wrong; it is tried again at this time."""

    again_at: float

    def after(self, state: MessageState) -> MessageState:
        """Each error in a row makes the pause longer."""
        return state.busy_with(held_until=self.again_at, failures=state.doing.failures + 1)
