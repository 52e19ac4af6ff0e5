"""The personal settings under /me: every choice has an effect."""

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.port import Limits
from bot.screens.me import OWN_CHOICES, OwnChoice
from tests.bot.chat import LIMITS, Chat
from tests.bot.running_bot import ANNA, BORIS, CLARA, RunningBot, running_bot
from tests.bot.wardrobe import Wardrobe

LINKS = "https://durak.example/in/link"
IN_A_CHAT = replace(LIMITS, ephemeral_seconds=900.0)
ON_A_PAGE = replace(LIMITS, boards=True)


async def evening(bot: RunningBot) -> Sequence[object]:
    """Makes Boris play, wait, lose and be called again; returns what others notice of that.

    These are the messages, the marks, and whether Boris's picture was fetched.
    """
    before = len(bot.chat.sent)
    table = await bot.dealt(ANNA, BORIS, CLARA, rules="podkidnoy-36", seed="5eed")
    for _ in range(8):
        await bot.skip(120.0)
        await bot.plays(table)
        await bot.settle()

    await bot.app.tables.resign(table.id, BORIS)
    await bot.skip(1800.0)
    await bot.chat.types(ANNA, "/stop")
    await bot.skip(1800.0)

    await bot.opened(ANNA)
    labels = [button.label for button in bot.table_message().buttons]
    calling = next((label for label in labels if label.startswith("📣")), None)
    if calling is not None:
        await bot.chat.presses(ANNA, bot.table_message().ref, calling)
    await bot.skip(60.0)

    sent = [(sent.verb, sent.place, sent.screen) for sent in bot.chat.sent[before:]]
    assert isinstance(bot.chat.badges, Wardrobe)
    return [*sent, bot.chat.badges.tags, BORIS.ref in bot.chat.portraits_asked]


def chat_for(choice: OwnChoice) -> Limits:
    """Returns the limits of a chat that offers a choice."""
    return next(limits for limits in (IN_A_CHAT, ON_A_PAGE) if choice.values(limits))


@pytest.mark.slow
@pytest.mark.parametrize("choice", OWN_CHOICES, ids=lambda choice: choice.name)
async def test_every_choice_makes_another_evening(
    empty_database: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    choice: OwnChoice,
) -> None:
    monkeypatch.setattr("bot.tables.deals.new_seed", lambda: "5eed")
    limits = chat_for(choice)
    values = choice.values(limits)
    evenings = list[Sequence[object]]()

    for number, value in enumerate((values[0], values[0], values[-1])):
        file = tmp_path / f"{number}.db"
        shutil.copy(empty_database, file)
        chat = Chat(limits=limits, badges=Wardrobe())
        async with running_bot(f"sqlite+aiosqlite:///{file}", chat, links=LINKS) as bot:
            bot.chat.moderators.add(ANNA.ref)
            await bot.chat.types(ANNA, "/settings worn on")
            await bot.chat.types(ANNA, "/settings language en")
            await bot.chat.types(BORIS, f"/me {choice.name} {value}")
            evenings.append(await evening(bot))

    same, again, another = evenings
    assert same == again
    assert same != another
