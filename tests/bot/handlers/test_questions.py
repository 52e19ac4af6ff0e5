"""Names, hours and times: requested in a box in chats that have boxes, and otherwise typed."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from adapters.discord.render import LIMITS as DISCORD
from adapters.port import MessageRef, PrivateChat, Question, Reply
from bot.locale import LOCALES, Translator
from bot.model.buttons import MAX_BYTES, CommandToComplete, CommandToCompleteInPlace
from bot.screens.questions import LABEL_LENGTH, TITLE_LENGTH, WORDINGS, asking_button, question_about
from tests.bot.chat import ROOM
from tests.bot.messages import text_of
from tests.bot.running_bot import ANNA, BORIS, RunningBot


@pytest.fixture
def bot(bot: RunningBot) -> RunningBot:
    bot.chat.limits = replace(bot.chat.limits, questions=True, private_chat=PrivateChat.IN_THE_ROOM)
    bot.chat.moderators.add(ANNA.ref)
    return bot


def panel(bot: RunningBot, label: str) -> MessageRef:
    """Returns the newest message with a button that begins like this."""
    shown: Iterator[MessageRef] = (
        ref
        for ref, message in reversed(bot.chat.messages.items())
        if any(button.label.startswith(label) for button in message.buttons)
    )
    return next(shown)


async def asks(bot: RunningBot, command: str, label: str) -> tuple[MessageRef, Question]:
    """Types a command as Anna and presses a button of the answer, which asks for something."""
    await bot.chat.types(ANNA, command)
    ref = panel(bot, label)
    reply = await bot.chat.presses(ANNA, ref, label)
    assert reply.question is not None
    assert reply == Reply(question=reply.question)
    return ref, reply.question


async def test_the_rules_of_a_table_are_saved_under_a_name_of_several_words(bot: RunningBot) -> None:
    table = await bot.opened(BORIS, rules="perevodnoy deck=52")
    ref, question = await asks(bot, "/settings", "💾 Save these rules")
    assert question == Question("💾 Save these rules", "A name for them")

    nothing = await bot.chat.presses(ANNA, ref, "💾 Save these rules", text=" ")
    assert nothing.toast is not None
    assert nothing.question is None  # a box can't be answered with another one

    reply = await bot.chat.presses(ANNA, ref, "💾 Save these rules", text="Friday  night")
    assert reply.public is None  # nothing is posted, as after any button of the settings
    assert "Saved here: friday-night" in bot.chat.messages[ref].text

    await bot.app.tables.change(table.id, lambda now: now.close())
    assert (await bot.opened(BORIS, rules="friday-night")).rules == table.rules


async def test_hours_and_a_zone_that_are_on_no_button(bot: RunningBot) -> None:
    ref, question = await asks(bot, "/settings quiet", "Other hours")
    assert question.example == "23-9"
    assert "Or type" not in bot.chat.messages[ref].text
    await bot.chat.presses(ANNA, ref, "Other hours", text="1-7")
    assert (await bot.app.servers.choices(ROOM.server)).quiet == "1-7"

    ref, _ = await asks(bot, "/settings timezone", "Another time zone")
    refused = await bot.chat.presses(ANNA, ref, "Another time zone", text="Atlantis")
    assert refused.toast is not None
    await bot.chat.presses(ANNA, ref, "Another time zone", text="europe/vilnius")
    assert (await bot.app.servers.choices(ROOM.server)).time_zone == "Europe/Vilnius"


async def test_a_table_and_a_cup_are_announced_for_a_time(bot: RunningBot) -> None:
    ref, _ = await asks(bot, "/help", "📅 Announce a table")
    await bot.chat.presses(ANNA, ref, "📅 Announce a table", text="20:30")
    await bot.settle()
    assert "📅 The table opens here" in bot.table_message().text

    ref, _ = await asks(bot, "/help", "🏆 Cup evening")
    refused = await bot.chat.presses(ANNA, ref, "🏆 Cup evening", text="soon")
    assert refused.toast is not None


async def test_nobody_may_do_by_a_box_what_they_may_not_type(bot: RunningBot) -> None:
    await bot.chat.types(ANNA, "/settings quiet")
    ref = panel(bot, "Other hours")
    bot.chat.moderators.discard(ANNA.ref)
    refused = await bot.chat.presses(ANNA, ref, "Other hours", text="1-7")
    assert refused.toast == "Only chat admins can change that."
    assert (await bot.app.servers.choices(ROOM.server)).quiet == ""


@pytest.mark.parametrize(
    "token", [CommandToComplete("forgetme"), CommandToCompleteInPlace("settings delete")]
)
async def test_a_box_for_any_other_command_is_refused(
    bot: RunningBot, token: CommandToComplete | CommandToCompleteInPlace
) -> None:
    await bot.chat.types(ANNA, "/settings quiet")
    reply = await bot.chat.presses_token(ANNA, panel(bot, "Other hours"), str(token), text="yes")
    assert reply.question is None
    assert reply.toast is not None


async def test_elsewhere_the_way_is_to_type(bot: RunningBot) -> None:
    bot.chat.limits = replace(bot.chat.limits, questions=False)
    await bot.opened(BORIS)
    for command in ("/settings", "/settings quiet", "/help"):
        reply = await bot.chat.types(ANNA, command)
        screen = reply.ephemeral or reply.public or reply.secret
        assert screen is not None
        assert "/settings" in text_of(screen) or "20:30" in text_of(screen)

    buttons = [button for message in bot.chat.messages.values() for button in message.buttons]
    assert not [button for button in buttons if button.token[:3] in {"kc:", "pc:"}]


@pytest.mark.parametrize("locale", LOCALES)
def test_all_that_is_asked_fits_a_box(locale: str) -> None:
    translator = Translator(locale)
    for command in WORDINGS:
        question = question_about(command, translator)
        assert len(question.title) <= TITLE_LENGTH
        assert len(question.label) <= LABEL_LENGTH
        button = asking_button(command, translator, in_place=True)
        assert len(button.token.encode()) <= MAX_BYTES
        assert len(button.label) <= DISCORD.label
