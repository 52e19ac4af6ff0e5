"""Renders the state and answers of a view as the messages that its page draws."""

import json
import time

from adapters import port
from adapters.web.render import OWN, Json, portraits_on, screen_content, tokens_on
from adapters.web.throws import range_of
from adapters.web.visits import Session

# The ids of a view's messages; of two tables, the page draws the later as the result.
TABLE = "1"
HAND = "2"
RESULT = "3"
ANSWER = "4"
PRIVATE = frozenset({HAND, ANSWER})


def frame_of(state: port.View, session: Session) -> str:
    """Returns the newest state as one frame, so that a page never shows half of it.

    Stores in the session which tokens can be pressed, which seats can be thrown at, and which portraits can
    be fetched.
    """
    visit = session.visit
    screens = {TABLE: state.table, HAND: state.hand, RESULT: state.result}
    messages = {
        number: screen_content(screen, reader=visit.user.ref).facts
        for number, screen in screens.items()
        if screen is not None
    }
    if RESULT in messages:
        messages[RESULT]["has_address"] = state.has_address
        if state.hand is None:
            messages[RESULT].pop("game", None)  # only players may see the replay

    for number in screens:
        session.tokens[number] = tokens_on(messages.get(number, {}))

    session.throws = range_of(messages[TABLE], OWN)
    session.portraits = frozenset().union(*map(portraits_on, messages.values()))

    return json.dumps(
        {
            "type": "all",
            "you": {"id": OWN, "name": visit.user.name, "owner": False},
            "now": time.time(),
            "commands": [],
            "messages": [view_message(number, content) for number, content in messages.items()],
        },
        ensure_ascii=False,
        separators=(",", ":"),
    )


def view_message(number: str, content: Json) -> Json:
    """Returns a message of the page with one of the ids above."""
    kind = "answer" if number == ANSWER else "post"
    return {"id": number, "kind": kind, "private": number in PRIVATE, "at": time.time(), "content": content}
