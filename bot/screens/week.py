"""The Sunday report of a server's week, and its hall of fame."""

from collections.abc import Sequence
from datetime import datetime

from adapters.port import Mark, Screen, Span
from bot.locale import Translator, gettext_noop
from bot.model.calendar import SEASON_MONTHS
from bot.model.results import MIN_GAMES_OF_A_WEEK, Season, Standing, Week
from bot.screens.names import shown_name
from bot.screens.standings import games_lost_text, games_text, nothing_text, plain, rivalry_text
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
FOOL_OF_THE_SEASON = gettext_noop("🃏 Fool of the season: {name} ({share})")
FOOLS_OF_THE_SEASON = gettext_noop("🃏 Fools of the season: {names} ({share} each)")
CHAMPION = gettext_noop("🏆 Champion: {name}, the fool in {share}")
CHAMPIONS = gettext_noop("🏆 Champions: {names}, the fool in {share} each")


def week_screen(
    week: Week,
    sunday: datetime,
    translator: Translator,
    *,
    began: datetime | None = None,
    highlights: Sequence[Line] = (),
) -> Screen:
    """Renders the report of the week that ended on a Sunday; `began` is given for more than a week.

    `highlights` are lines of features.
    """
    name = translator.text("The week until {day}", day=translator.day(sunday))

    if began is not None:
        name = f"{translator.day(began)}\N{NO-BREAK SPACE}– {translator.day(sunday)}"

    title = (Span(f"🗓 {name} · {games_text(week.games, translator)}", Mark.BOLD),)
    honours = [
        _honour(FOOL_OF_THE_WEEK, FOOLS_OF_THE_WEEK, week.fools_of_the_week, translator),
        _honour(SPARED, SPARED_TOGETHER, week.spared, translator),
    ]

    if week.streak is not None:
        name, length = week.streak
        losses = translator.count("{n} loss", "{n} losses", length)
        honours.append(
            translator.spans(
                "😌 {name} finally escaped, after {losses} in a row",
                name=shown_name(name, translator),
                losses=losses,
            )
        )

    if week.take is not None:
        name, cards = week.take
        taken = translator.count("{n} card", "{n} cards", cards)
        called = shown_name(name, translator)
        honours.append(translator.spans("📦 Biggest take: {name}, {cards}", name=called, cards=taken))

    if week.rivalry is not None and week.rivalry.games >= MIN_GAMES_OF_A_WEEK:
        honours.append(plain(rivalry_text(week.rivalry, translator)))

    honours += highlights
    fun = translator.spans(_FUN[sunday.isocalendar().week % len(_FUN)], mark=Mark.ITALIC)
    return Screen(as_paragraphs(title, as_lines(*honours), fun))


def week_title(translator: Translator) -> str:
    """Names the picture of a week."""
    return translator.text("Fools of the week")


def seasons_screen(seasons: Sequence[tuple[datetime, Season]], translator: Translator) -> Screen:
    """Shows the hall of fame, the newest season first; each with when it began on the server's clocks."""
    title = (Span(f"🏛 {translator.text('Hall of fame')}", Mark.BOLD),)
    if not seasons:
        return Screen(as_paragraphs(title, (Span(nothing_text(translator)),)))

    parts: list[Line] = [title]
    for began, season in seasons:
        last = began.month + SEASON_MONTHS - 1
        name = f"{began.year} · {began.month:02}–{last:02} · {games_text(season.games, translator)}"
        fools = _honour(FOOL_OF_THE_SEASON, FOOLS_OF_THE_SEASON, season.fools, translator)
        champions = _honour(CHAMPION, CHAMPIONS, season.champions, translator)
        cups = [_cup_line(winner, fool, translator) for winner, fool in season.cups]
        parts.append(as_lines((Span(name, Mark.BOLD),), fools, champions, *cups))

    return Screen(as_paragraphs(*parts))


def _honour(one: str, several: str, standings: Sequence[Standing], translator: Translator) -> Line:
    """Names those who share a place, in the sentence for one of them or for several."""
    if not standings:
        return ()

    share = games_lost_text(standings[0], translator)
    names = [shown_name(standing.name, translator) for standing in standings]
    if len(names) == 1:
        return translator.spans(one, name=names[0], share=share)

    return translator.spans(several, names=translator.listing(names), share=share)


def _cup_line(winner: str | None, fool: str | None, translator: Translator) -> Line:
    """Names who won a cup, and who went home with the fool's cap."""
    if winner is None:
        return ()

    won = shown_name(winner, translator)
    if fool is None:
        return translator.spans("🥇 Cup: {winner}", winner=won)

    return translator.spans(
        "🥇 Cup: {winner} · fool's cap: {fool}", winner=won, fool=shown_name(fool, translator)
    )
