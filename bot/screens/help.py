"""The bot's description, its welcome, and /help."""

import re
from collections.abc import Collection, Mapping, Sequence

from adapters.port import (
    AddToGroupButton,
    Button,
    CommandScope,
    CommandSpec,
    Guide,
    GuideLine,
    GuidePicture,
    GuideWay,
    Limits,
    Mark,
    Screen,
    Span,
    Tone,
    Translated,
)
from bot.locale import LOCALES, Summaries, Translator, gettext_noop
from bot.model.buttons import OpenTable, TypedCommand
from bot.screens.directions import learn_button
from bot.screens.keyboard import button_to
from bot.screens.questions import asking_button
from bot.screens.text import Line, as_lines, as_paragraphs

DESCRIPTION = gettext_noop(
    "Durak, the card game with one loser: the last player left with cards is the fool. "
    "Press Start to play against bots, or add me to a group to play with friends. "
    "Everybody sees the table, only you see your cards. /privacy tells what I keep."
)

SHORT_DESCRIPTION = gettext_noop("The card game Durak, with friends or against bots.")

HELP = "help"  # the command that shows this

# The most useful commands come first.
_HELP: Sequence[tuple[str, str]] = (
    ("/durak", gettext_noop("play with friends here")),
    ("/durak bots", gettext_noop("play against bots now")),
    ("/durak 20:30", gettext_noop("announce a table for tonight")),
    ("/cup 20:30", gettext_noop("a cup evening for four to sixteen")),
    ("/durak @anna", gettext_noop("invite a friend, and keep their seat")),
    ("/rules", gettext_noop("how to play")),
    ("/fool, /leaderboard, /stats", gettext_noop("who's the fool")),
    ("/settings, /me", gettext_noop("settings for everybody here, and your own")),
)

# In chats with named arguments.
_NAMED: Mapping[str, str] = {
    "/durak bots": "/durak preset:bots",
    "/durak 20:30": "/durak time:20:30",
    "/cup 20:30": "/cup time:20:30",
    "/durak @anna": "/durak friend:@anna",
}

# In private chats.
_IN_PRIVATE: Sequence[tuple[str, str]] = (
    ("/learn", gettext_noop("learn to play in four short games")),
    ("/durak bots", gettext_noop("play against bots now")),
    ("/puzzle", gettext_noop("an ending with one winning move")),
    ("/rules", gettext_noop("how to play")),
    ("/stats, /review", gettext_noop("how you play")),
    ("/settings, /me", gettext_noop("settings for everybody here, and your own")),
)

# For chats that draw the help: the picture, the label and the command of each offer.
_WAYS: Sequence[tuple[GuidePicture, str, str]] = (
    (GuidePicture.BOTS, gettext_noop("Play against a bot"), "durak bots"),
    (GuidePicture.FRIENDS, gettext_noop("Play with others"), "durak"),
    (GuidePicture.LESSONS, gettext_noop("Learn by playing"), "learn"),
    (GuidePicture.RULES, gettext_noop("How to play"), "rules full"),
    (GuidePicture.PUZZLE, gettext_noop("Puzzle"), "puzzle"),
    (GuidePicture.FOOLS, gettext_noop("Who's the fool?"), "fool"),
    (GuidePicture.STATISTICS, gettext_noop("My statistics"), "stats"),
    (GuidePicture.SETTINGS, gettext_noop("My settings"), "me"),
)
_TYPED = frozenset({"/durak 20:30", "/durak @anna"})  # commands of the help that have to be typed


def description() -> Translated:
    """Returns the description of the bot for people who haven't written to it yet."""
    return _in_every_language(DESCRIPTION)


def short_description() -> Translated:
    """Returns a description in one line, for the bot's profile and links to it."""
    return _in_every_language(SHORT_DESCRIPTION)


def _in_every_language(message: str) -> Translated:
    return Translated(Translator(LOCALES[0]).text(message), Summaries(message))


def help_screen(
    translator: Translator,
    limits: Limits,
    *,
    commands: Collection[CommandSpec],
    is_private: bool,
    empty: Collection[GuidePicture] = (),
) -> Screen:
    """Renders the goal of the game, the most useful commands, the names of others, and buttons to begin.

    Offers that are `empty`, because the games that they would show are still to be played, are left out.
    """
    explained = _IN_PRIVATE if is_private else _HELP
    lines = list[Line]()
    for command, about in explained:
        usage = _NAMED.get(command, command) if limits.named_arguments else command
        lines.append((Span(usage, Mark.BOLD), Span(f" · {translator.text(about)}")))

    if is_private:
        lines.append(translator.spans("With friends: add me to your chat, and type /durak there."))

    scope = CommandScope.PRIVATE if is_private else CommandScope.ADMIN  # includes all commands of a group
    names = {HELP, *(name for command, _ in explained for name in _names_in(command))}
    others = [f"/{spec.name}" for spec in commands if scope in spec.scopes and spec.name not in names]
    more = translator.spans("More: {commands}", commands=" ".join(others))
    goal = translator.spans("Durak: don't be the last one holding cards.", mark=Mark.BOLD)
    rows: tuple[tuple[Button, ...], ...] = (
        (button_to(TypedCommand("durak bots"), translator.text("🤖 Play against bots"), Tone.PRIMARY),),
        (
            learn_button(translator),
            button_to(TypedCommand("rules full"), translator.text("How to play")),
        ),
        (AddToGroupButton(translator.text("➕ Add me to your chat")),),
    )

    if limits.questions and not is_private:
        asking = tuple(asking_button(command, translator) for command in ("durak", "cup"))
        rows = (*rows[:-1], asking, *rows[-1:])

    body = as_paragraphs(goal, as_lines(*lines, more))
    return Screen(body=body, rows=rows, facts=_guide(goal, empty, translator))


def _names_in(line: str) -> list[str]:
    """Returns the names of the commands in a line of the help.

    >>> _names_in("/fool, /stats")
    ['fool', 'stats']
    """
    return re.findall(r"/([a-z]+)", line)


def _guide(goal: Line, empty: Collection[GuidePicture], translator: Translator) -> Guide:
    """Returns the help as data: offers to press, and the commands that have to be typed."""
    ways = tuple(
        GuideWay(picture, translator.text(label), str(TypedCommand(command)))
        for picture, label, command in _WAYS
        if picture not in empty
    )
    lines = tuple(GuideLine(command, translator.text(about)) for command, about in _HELP if command in _TYPED)
    return Guide(goal, ways, lines)


def welcome_screen(translator: Translator, *, has_buttons: bool = True) -> Screen:
    """Renders the welcome, with buttons to begin unless `has_buttons` is False."""
    deal = button_to(OpenTable(), translator.text("🃏 Deal here"), Tone.GOOD)
    alone = button_to(TypedCommand("durak bots"), translator.text("🤖 Try against a bot"))
    rules = button_to(TypedCommand("rules full"), translator.text("How to play"))
    hello = translator.spans(
        "Hi! I deal Durak: the last one with cards is the fool. Only you see your cards."
    )
    rows = ((deal,), (alone,), (learn_button(translator), rules)) if has_buttons else ()
    return Screen(hello, rows=rows)
