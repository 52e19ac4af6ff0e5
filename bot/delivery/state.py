"""The state of one message as a value: what is shown, what is wanted, and what is under way.

Only events change a state: each is something that happened to the message, and computes the next state.
Times are in seconds of the event loop.
"""

from dataclasses import dataclass, replace
from typing import Any, Protocol

from adapters.port import MessageRef, Screen, UserRef
from bot.model.messages import UNKNOWN, PendingMessage, Place, SentMessage, Urgency

NEVER = float("-inf")


# --- the three parts of a state --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Call:
    """The words of a call, and the people it mentions."""

    words: str
    people: frozenset[UserRef]

    @classmethod
    def of(cls, screen: Screen) -> "Call":
        """Returns the content of a call's screen; the commas between names do not count as words."""
        words = "".join(span.text for span in screen.body if span.mention is None)
        people = frozenset(span.mention for span in screen.body if span.mention is not None)
        return cls(words.replace(", ", ""), people)

    def names_fewer(self, before: "Call") -> bool:
        """Returns whether it has the words of an earlier call, and mentions only some of its people."""
        return self.words == before.words and bool(self.people) and self.people < before.people


@dataclass(frozen=True, slots=True)
class Shown:
    """What the chat shows, as far as is known; the first three attributes are stored on disk.

    Attributes:
        ref: The message in the chat; None while there is none.
        digest: The digest of the screen that is shown, or will be once it is posted.
        is_pinned: Whether the bot has pinned the message, or is about to.
        replaced: The former message while a new one replaces it; links may lead there until then.
        posted_at: When this process posted it.
        changes: The number of wanted changes that it shows.
        call: The content of a call; None if that is not known.
        refused: The digest of a screen that the chat refused.
        unpinnable: The message that the chat refused to pin.
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
        place: The reader, and how the message is shown to them. Nothing is sent while it is None, as the
            subject was not looked at yet, or the reader was forgotten.
        is_renewed: Whether to show it in a new message at the end of the chat.
        changes: The number of changes so far.
        urgency: How soon to send the newest change.
        queued_at: Since when it has been waiting to be sent.
        found: A pressed message of no known slot that is assumed to be this one.
    """

    place: Place | None = None
    is_renewed: bool = False
    changes: int = 0
    urgency: Urgency = Urgency.ORDINARY
    queued_at: float = NEVER
    found: MessageRef | None = None


@dataclass(frozen=True, slots=True)
class Doing:
    """An operation on a message whose outcome is unknown.

    Attributes:
        key: The key by which the chat recognizes the message while it is posted; otherwise empty.
        is_doubled: Whether it was posted again after an attempt that may have arrived; there may be two.
        presses: The number of presses on it that are not answered yet.
        is_crowded: Whether several edits overlapped, so that it may show any of them.
        held_until: Nothing is sent before this time, because of an expected answer or a recent error.
        failures: The number of failures in a row to send it.
    """

    key: str = ""
    is_doubled: bool = False
    presses: int = 0
    is_crowded: bool = False
    held_until: float = NEVER
    failures: int = 0

    @property
    def may_have_arrived(self) -> bool:
        """Whether the chat may have a message that was never recorded."""
        return bool(self.key) or self.is_doubled


@dataclass(frozen=True, slots=True)
class MessageState:
    """Everything known about a message."""

    shown: Shown = Shown()
    wanted: Wanted = Wanted()
    doing: Doing = Doing()

    def showing(self, **facts: Any) -> "MessageState":
        """Returns the state with these attributes of `shown` replaced."""
        return replace(self, shown=replace(self.shown, **facts))

    def wanting(self, **facts: Any) -> "MessageState":
        """Returns the state with these attributes of `wanted` replaced."""
        return replace(self, wanted=replace(self.wanted, **facts))

    def busy_with(self, **facts: Any) -> "MessageState":
        """Returns the state with these attributes of `doing` replaced."""
        return replace(self, doing=replace(self.doing, **facts))


UNSEEN = MessageState()  # nothing is known about the message


class MessageEvent(Protocol):
    """Something that happened to a message."""

    def after(self, state: MessageState) -> MessageState:
        """Returns the state after this event."""


# --- what is wanted -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Placed:
    """The message got this place when its subject was looked at; None if its reader was forgotten."""

    place: Place | None

    def after(self, state: MessageState) -> MessageState:
        """Sets the place; a renewed one requires a new message only if the chat already has one."""
        is_there = state.shown.ref is not None
        is_renewed = self.place is not None and self.place.is_renewed and is_there
        return state.wanting(place=self.place, is_renewed=state.wanted.is_renewed or is_renewed)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The subject was looked at, and has no place for the message."""

    def after(self, state: MessageState) -> MessageState:
        """Keeps the place, but unpins the message."""
        place = state.wanted.place
        return state if place is None else state.wanting(place=replace(place, is_pinned=False))


@dataclass(frozen=True, slots=True)
class Changed:
    """The message may have to show something else."""

    def after(self, state: MessageState) -> MessageState:
        """Makes the message dirty until this change is shown."""
        return state.wanting(changes=state.wanted.changes + 1)


@dataclass(frozen=True, slots=True)
class Queued:
    """The message has been waiting to be sent since this time."""

    urgency: Urgency
    at: float

    def after(self, state: MessageState) -> MessageState:
        """Sets the urgency and the time."""
        return state.wanting(urgency=self.urgency, queued_at=self.at)


@dataclass(frozen=True, slots=True)
class Renewed:
    """A new message has to replace the one in the chat; if not `is_due`, the old one may stay."""

    is_due: bool = True

    def after(self, state: MessageState) -> MessageState:
        """Sets or clears the wish for a new message."""
        return state.wanting(is_renewed=self.is_due)


@dataclass(frozen=True, slots=True)
class Found:
    """A pressed message was recognized as this one; None once it has moved there."""

    ref: MessageRef | None

    def after(self, state: MessageState) -> MessageState:
        """Sets the message to move to when it is sent next."""
        return state.wanting(found=self.ref)


# --- what is shown --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Loaded:
    """The message was read from disk."""

    saved: SentMessage | PendingMessage

    def after(self, state: MessageState) -> MessageState:
        """Restores the message, which a kill may have left in mid-post."""
        saved = self.saved
        if isinstance(saved, PendingMessage):
            return state.showing(digest=saved.digest).busy_with(key=saved.key)
        return state.showing(ref=saved.ref, digest=saved.digest, is_pinned=saved.is_pinned)


@dataclass(frozen=True, slots=True)
class Posting:
    """The message is about to be posted, with a new key."""

    digest: str
    key: str

    def after(self, state: MessageState) -> MessageState:
        """Sets the key and digest; after an attempt that may have arrived, its key stays.

        If that attempt had another digest, the digest becomes unknown.
        """
        first = state.doing.key
        if not first:
            return state.showing(digest=self.digest).busy_with(key=self.key)

        is_same = state.shown.digest == self.digest
        return state if is_same else state.showing(digest=UNKNOWN)


@dataclass(frozen=True, slots=True)
class PostedAgain:
    """The message is posted again, although an earlier attempt may have arrived."""

    def after(self, state: MessageState) -> MessageState:
        """Notes that the chat may now have the message twice."""
        return state.busy_with(is_doubled=True)


@dataclass(frozen=True, slots=True)
class Arrived:
    """The message is in the chat, and shows this digest."""

    ref: MessageRef
    digest: str

    def after(self, state: MessageState) -> MessageState:
        """Sets the message and its digest, and ends the post; a pin does not move to a new message."""
        is_pinned = state.shown.is_pinned and self.ref == state.shown.ref
        shown_after = state.showing(ref=self.ref, digest=self.digest, is_pinned=is_pinned, replaced=None)
        return shown_after.busy_with(key="")


@dataclass(frozen=True, slots=True)
class CameIntoSight:
    """The message was posted at this time."""

    at: float

    def after(self, state: MessageState) -> MessageState:
        """Sets the time, from which the message is in sight for a while."""
        return state.showing(posted_at=self.at)


@dataclass(frozen=True, slots=True)
class Vanished:
    """The message is gone from its chat or never arrived; `is_replaced` if a new one follows."""

    is_replaced: bool = False

    def after(self, state: MessageState) -> MessageState:
        """Clears what is shown; keeps a replaced message, to which links may lead."""
        replaced = state.shown.ref if self.is_replaced else None
        gone = state.showing(ref=None, digest=UNKNOWN, is_pinned=False, replaced=replaced)
        return gone.busy_with(key="")


@dataclass(frozen=True, slots=True)
class Doubted:
    """The chat may have changed the message by itself."""

    def after(self, state: MessageState) -> MessageState:
        """Makes the content unknown."""
        return state.showing(digest=UNKNOWN)


@dataclass(frozen=True, slots=True)
class Told:
    """A call is about to show this content; `is_news` if somebody has to notice it."""

    call: Call
    is_news: bool

    def after(self, state: MessageState) -> MessageState:
        """Sets the content; news require a new message, as an edit notifies nobody."""
        return state.showing(call=self.call).wanting(is_renewed=state.wanted.is_renewed or self.is_news)


@dataclass(frozen=True, slots=True)
class ScreenRefused:
    """The chat refused the screen with this digest."""

    digest: str

    def after(self, state: MessageState) -> MessageState:
        """Records the digest, so that this screen is not sent again."""
        return state.showing(refused=self.digest)


@dataclass(frozen=True, slots=True)
class Pinned:
    """The bot has pinned the message or, if not `is_pinned`, unpinned it."""

    is_pinned: bool

    def after(self, state: MessageState) -> MessageState:
        """Sets whether the message is pinned."""
        return state.showing(is_pinned=self.is_pinned)


@dataclass(frozen=True, slots=True)
class PinRefused:
    """The chat refused to pin the message."""

    def after(self, state: MessageState) -> MessageState:
        """Excludes this message from further attempts."""
        return state.showing(unpinnable=state.shown.ref)


@dataclass(frozen=True, slots=True)
class UpToDate:
    """The message shows the first `changes` of the wanted changes."""

    changes: int

    def after(self, state: MessageState) -> MessageState:
        """Raises the number of shown changes; newer changes keep the message dirty."""
        return state.showing(changes=max(state.shown.changes, self.changes))


# --- what is being done ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Held:
    """The message is reserved for an answer until this time."""

    until: float

    def after(self, state: MessageState) -> MessageState:
        """Blocks all other sending until then."""
        return state.busy_with(held_until=self.until)


@dataclass(frozen=True, slots=True)
class Released:
    """No answer is expected for the message."""

    def after(self, state: MessageState) -> MessageState:
        """Allows sending at once."""
        return state.busy_with(held_until=NEVER)


@dataclass(frozen=True, slots=True)
class Pressed:
    """Somebody pressed a button of the message, and will be answered in it."""

    def after(self, state: MessageState) -> MessageState:
        """Counts the press; the answers to several may arrive in any order."""
        others = state.doing.presses
        return state.busy_with(presses=others + 1, is_crowded=state.doing.is_crowded or others > 0)


@dataclass(frozen=True, slots=True)
class AnsweredWhileSent:
    """The answer to a press is sent during an edit of the message."""

    def after(self, state: MessageState) -> MessageState:
        """Marks the message crowded, as the two may arrive in any order."""
        return state.busy_with(is_crowded=True)


@dataclass(frozen=True, slots=True)
class PressAnswered:
    """A press on the message was answered."""

    def after(self, state: MessageState) -> MessageState:
        """Uncounts the press; after the last answer the message is no longer crowded."""
        left = state.doing.presses - 1
        return state.busy_with(presses=left, is_crowded=state.doing.is_crowded and left > 0)


@dataclass(frozen=True, slots=True)
class Sent:
    """Sending the message raised no error."""

    def after(self, state: MessageState) -> MessageState:
        """Resets the number of failures."""
        return state.busy_with(failures=0)


@dataclass(frozen=True, slots=True)
class Failed:
    """Sending the message raised an error; it is retried at this time."""

    again_at: float

    def after(self, state: MessageState) -> MessageState:
        """Blocks sending until then, and counts the failure."""
        return state.busy_with(held_until=self.again_at, failures=state.doing.failures + 1)
