"""The state of a message, as a table: the state before, the event, and the state after."""

import inspect
from dataclasses import dataclass

import pytest

from adapters.port import Everyone, MessageRef
from bot.delivery import state as states
from bot.delivery.state import (
    NEVER,
    UNSEEN,
    AnsweredWhileSent,
    Arrived,
    Call,
    CameIntoSight,
    Changed,
    Doubted,
    Failed,
    Found,
    Held,
    LeftOut,
    Loaded,
    MessageEvent,
    MessageState,
    Pinned,
    PinRefused,
    Placed,
    PostedAgain,
    Posting,
    PressAnswered,
    Pressed,
    Queued,
    Released,
    Renewed,
    ScreenRefused,
    Sent,
    Told,
    UpToDate,
    Vanished,
)
from bot.model.messages import UNKNOWN, PendingMessage, Place, SentMessage, Urgency
from tests.bot.chat import PLATFORM, ROOM

HERE, THERE = MessageRef(PLATFORM, "1"), MessageRef(PLATFORM, "2")
PLACE = Place(Everyone(ROOM))
PINNED = Place(Everyone(ROOM), is_pinned=True)
RINGING = Place(Everyone(ROOM), is_renewed=True)
CALL = Call("your move", frozenset())

SHOWN = UNSEEN.showing(ref=HERE, digest="old")
POSTING = UNSEEN.showing(digest="old").busy_with(key="key")


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    what: str
    before: MessageState
    event: MessageEvent
    after: MessageState


TABLE = (
    # what is wanted
    Row("a place", SHOWN, Placed(PLACE), SHOWN.wanting(place=PLACE)),
    Row("a reader is forgotten", SHOWN.wanting(place=PLACE), Placed(None), SHOWN),
    Row("it has to ring", SHOWN, Placed(RINGING), SHOWN.wanting(place=RINGING, is_renewed=True)),
    Row("what is posted rings anyway", UNSEEN, Placed(RINGING), UNSEEN.wanting(place=RINGING)),
    Row(
        "a ring is not forgotten by the next look",
        SHOWN.wanting(is_renewed=True),
        Placed(PLACE),
        SHOWN.wanting(place=PLACE, is_renewed=True),
    ),
    Row("needed no longer", SHOWN.wanting(place=PINNED), LeftOut(), SHOWN.wanting(place=PLACE)),
    Row("never placed", SHOWN, LeftOut(), SHOWN),
    Row("a change", SHOWN.wanting(changes=2), Changed(), SHOWN.wanting(changes=3)),
    Row(
        "it waits",
        SHOWN,
        Queued(Urgency.CAN_WAIT, 5.0),
        SHOWN.wanting(urgency=Urgency.CAN_WAIT, queued_at=5.0),
    ),
    Row("renewed", SHOWN, Renewed(), SHOWN.wanting(is_renewed=True)),
    Row("the old one has gone", SHOWN.wanting(is_renewed=True), Renewed(is_due=False), SHOWN),
    Row("found", SHOWN, Found(THERE), SHOWN.wanting(found=THERE)),
    Row("moved there", SHOWN.wanting(found=THERE), Found(None), SHOWN),
    # what is shown
    Row(
        "read from disk",
        UNSEEN,
        Loaded(SentMessage(HERE, "old", is_pinned=True)),
        SHOWN.showing(is_pinned=True),
    ),
    Row("killed in mid-post", UNSEEN, Loaded(PendingMessage("key", "old")), POSTING),
    Row("a post", UNSEEN, Posting("old", "key"), POSTING),
    Row("the same post again", POSTING, Posting("old", "other"), POSTING),
    Row("another post after it", POSTING, Posting("new", "other"), POSTING.showing(digest=UNKNOWN)),
    Row("sent once more", POSTING, PostedAgain(), POSTING.busy_with(is_doubled=True)),
    Row("it arrives", POSTING, Arrived(HERE, "old"), SHOWN),
    Row(
        "an edit of what is pinned",
        SHOWN.showing(is_pinned=True),
        Arrived(HERE, "new"),
        SHOWN.showing(is_pinned=True, digest="new"),
    ),
    Row(
        "another takes over",
        SHOWN.showing(is_pinned=True),
        Arrived(THERE, "new"),
        UNSEEN.showing(ref=THERE, digest="new"),
    ),
    Row(
        "the new one is there",
        UNSEEN.showing(replaced=HERE),
        Arrived(THERE, "new"),
        UNSEEN.showing(ref=THERE, digest="new"),
    ),
    Row("in sight", SHOWN, CameIntoSight(9.0), SHOWN.showing(posted_at=9.0)),
    Row("gone", SHOWN.showing(is_pinned=True), Vanished(), UNSEEN),
    Row("gone for a new one", SHOWN, Vanished(is_replaced=True), UNSEEN.showing(replaced=HERE)),
    Row("a post that did not arrive", POSTING, Vanished(), UNSEEN),
    Row("doubted", SHOWN, Doubted(), SHOWN.showing(digest=UNKNOWN)),
    Row(
        "a call with news", SHOWN, Told(CALL, is_news=True), SHOWN.showing(call=CALL).wanting(is_renewed=True)
    ),
    Row("a call without news", SHOWN, Told(CALL, is_news=False), SHOWN.showing(call=CALL)),
    Row("a screen that isn't taken", SHOWN, ScreenRefused("new"), SHOWN.showing(refused="new")),
    Row("pinned", SHOWN, Pinned(True), SHOWN.showing(is_pinned=True)),
    Row("not pinned", SHOWN, PinRefused(), SHOWN.showing(unpinnable=HERE)),
    Row("up to date", SHOWN.wanting(changes=3), UpToDate(3), SHOWN.wanting(changes=3).showing(changes=3)),
    Row("an older edit ends late", SHOWN.showing(changes=3), UpToDate(2), SHOWN.showing(changes=3)),
    # what is being done
    Row("held", SHOWN, Held(7.0), SHOWN.busy_with(held_until=7.0)),
    Row("released", SHOWN.busy_with(held_until=7.0), Released(), SHOWN.busy_with(held_until=NEVER)),
    Row("a press", SHOWN, Pressed(), SHOWN.busy_with(presses=1)),
    Row("a second press", SHOWN.busy_with(presses=1), Pressed(), SHOWN.busy_with(presses=2, is_crowded=True)),
    Row(
        "an answer beside an edit",
        SHOWN.busy_with(presses=1),
        AnsweredWhileSent(),
        SHOWN.busy_with(presses=1, is_crowded=True),
    ),
    Row(
        "one of two is answered",
        SHOWN.busy_with(presses=2, is_crowded=True),
        PressAnswered(),
        SHOWN.busy_with(presses=1, is_crowded=True),
    ),
    Row("the last is answered", SHOWN.busy_with(presses=1, is_crowded=True), PressAnswered(), SHOWN),
    Row(
        "an error",
        SHOWN.busy_with(failures=1),
        Failed(again_at=8.0),
        SHOWN.busy_with(failures=2, held_until=8.0),
    ),
    Row("no error any more", SHOWN.busy_with(failures=2), Sent(), SHOWN),
)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.what)
def test_a_state_follows_from_the_one_before(row: Row) -> None:
    assert row.event.after(row.before) == row.after


def test_every_event_is_in_the_table() -> None:
    events = {
        name
        for name, each in inspect.getmembers(states, inspect.isclass)
        if hasattr(each, "after") and each is not MessageEvent
    }
    assert events == {type(row.event).__name__ for row in TABLE}
