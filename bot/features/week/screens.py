"""The screen of the weekly report."""

from collections.abc import Sequence
from datetime import datetime

from adapters.port import Mark, Screen, Span
from bot.features.week.model import MIN_GAMES, Week
from bot.locale import Translator, gettext_noop
from bot.screens.names import shown_name
from bot.screens.standings import games_text, honour_line, plain, rivalry_text
from bot.screens.text import Line, as_lines, as_paragraphs

_FUN = (
    gettext_noop("New week, new deck. The hat is still warm."),
    gettext_noop("The cards have been washed. Excuses are dealt tomorrow."),
    gettext_noop("Nobody remembers who won. Everybody remembers the fool."),
    gettext_noop("Trumps come and go. The fool remains."),
)

FOOL_OF_THE_WEEK = gettext_noop("🃏 Fool of the week: {name} ({share})")
FOOLS_OF_THE_WEEK = gettext_noop("🃏 Fools of the week: {names} ({share} each)")
SPARED = gettext_noop("🏆 The fool least often: {name} ({share})")
SPARED_TOGETHER = gettext_noop("🏆 The fool least often: {names} ({share} each)")


def week_screen(
    week: Week,
    sunday: datetime,
    translator: Translator,
    *,
    began: datetime | None = None,
    highlights: Sequence[Line] = (),
) -> Screen:
    """Renders the report of the week that ended on a Sunday; `began` is set if it covers more than a week.

    `highlights` are lines of other features.
    """
    heading = translator.text("The week until {day}", day=translator.day(sunday))

    if began is not None:
        heading = f"{translator.day(began)}\N{NO-BREAK SPACE}– {translator.day(sunday)}"

    title = (Span(f"🗓 {heading} · {games_text(week.games, translator)}", Mark.BOLD),)
    honours = [
        honour_line(FOOL_OF_THE_WEEK, FOOLS_OF_THE_WEEK, week.fools_of_the_week, translator),
        honour_line(SPARED, SPARED_TOGETHER, week.spared, translator),
    ]

    if week.streak is not None:
        loser, length = week.streak
        losses = translator.count("{n} loss", "{n} losses", length)
        honours.append(
            translator.spans(
                "😌 {name} finally escaped, after {losses} in a row",
                name=shown_name(loser, translator),
                losses=losses,
            )
        )

    if week.take is not None:
        taker, cards = week.take
        honours.append(
            translator.spans(
                "📦 Biggest take: {name}, {cards}",
                name=shown_name(taker, translator),
                cards=translator.count("{n} card", "{n} cards", cards),
            )
        )

    if week.rivalry is not None and week.rivalry.games >= MIN_GAMES:
        honours.append(plain(rivalry_text(week.rivalry, translator)))

    honours += highlights
    fun = translator.spans(_FUN[sunday.isocalendar().week % len(_FUN)], mark=Mark.ITALIC)
    return Screen(as_paragraphs(title, as_lines(*honours), fun))


def week_title(translator: Translator) -> str:
    """Returns the title of a week's chart."""
    return translator.text("Fools of the week")
