"""The review of a game that was given up early, shown to the player who asks for it.

In one chat only: a review is delivered the same way in all, and its search keeps the machine busy.
"""

import random

import pytest

from tests.e2e.chats import Chat, Person
from tests.e2e.game import gather, hand_with, heard, play_on, press, result, until

pytestmark = pytest.mark.usefixtures("bot")

FEW_MOVES = 16
REVIEW_WITHIN = 60.0


async def review_of(person: Person) -> str | None:
    texts = [shown.text for shown in await person.private() if shown.text.startswith("Review · game 1")]
    return texts[-1] if texts else None


@pytest.mark.parametrize("chat", ["telegram"], indirect=True)
async def test_a_review_comes_to_whoever_asks_and_to_nobody_else(chat: Chat) -> None:
    anna, boris = people = await gather(chat, ["Anna", "Boris"])
    assert "isn’t over" in await heard(anna, "/review")

    await play_on(people, random.Random(5), presses=FEW_MOVES)
    for label in ("🚪 Leave", "Resign"):
        shown, token = await hand_with(boris, label)
        await boris.presses(shown, token)

    await until(lambda: result(anna), "the result")
    await anna.types("/review")
    told = await until(lambda: review_of(anna), "the review", REVIEW_WITHIN)
    assert "Fool risk" in told or "Nothing to regret" in told

    await press(anna, "Rematch")  # the bot continues
    assert not [read for read in boris.has_read() if "Review · game 1" in read.text]
    assert "Reviewing your game" in "\n".join(read.text for read in anna.has_read())
    assert await review_of(boris) is None
