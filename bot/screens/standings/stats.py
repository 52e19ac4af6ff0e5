"""How one person plays."""

from collections.abc import Iterator

from adapters.port import Mark, Screen, Span
from bot.locale import Translator
from bot.model.standings import Career, Duel, Fate, RatingPlace, Standing
from bot.screens.people import safe_name
from bot.screens.standings.phrases import (
    games_text,
    index_text,
    length_text,
    nothing_text,
    percent,
    plain,
    shown_name,
    trumps_text,
)
from bot.screens.story import Line
from bot.screens.table import lines_under_one_another, stacked

FATES = {Fate.FOOL: "🃏", Fate.FIRST_OUT: "⭐", Fate.DRAW: "🤝", Fate.SAFE: "✔️"}


def stats_screen(
    standing: Standing | None,
    name: str,
    translator: Translator,
    *,
    career: Career | None = None,
    rating: RatingPlace | None = None,
    against_asker: Duel | None = None,
    practice: Standing | None = None,
) -> Screen:
    """Show one player's tally.

    Args:
        standing: Their numbers; None when they finished no game that counts.
        name: What they are called.
        translator: Says it.
        career: What their games tell in their order.
        rating: How strong they are.
        against_asker: How they fared against who asks, when that is somebody else.
        practice: Their numbers against house players alone, which count for nothing else.
    """
    called = safe_name(name) or translator.text("Player")
    title = (Span(called, Mark.BOLD),)
    numbers = (
        [plain(nothing_text(translator))]
        if standing is None
        else list(_numbers(standing, rating, translator))
    )
    parts = [title, lines_under_one_another(*numbers)]
    if career is not None:
        parts.append(lines_under_one_another(*_story(career, translator)))
        parts.append(lines_under_one_another(*_company(career, against_asker, called, translator)))
    if practice is not None:
        parts.append(plain(_practice(practice, translator)))
    return Screen(body=stacked([part for part in parts if part]))


def _numbers(standing: Standing, rating: RatingPlace | None, translator: Translator) -> Iterator[Line]:
    yield plain(games_text(standing.games, translator))
    yield plain(f"{_fools(standing, translator)} · {percent(standing.rate)}")
    yield plain(translator.text("first out: {n}", n=standing.first_out))
    yield plain(translator.text("draws: {n}", n=standing.draws))
    index = index_text(standing)
    yield plain(translator.text("fool index: {index} (1.00 is average, lower is better)", index=index))
    if rating is not None:
        yield plain(
            translator.text(
                "rating: {rating}, place {place} of {people} (newcomers start at 0)",
                rating=f"{rating.points:.1f}",
                place=rating.place,
                people=rating.of,
            )
        )
    if standing.epaulettes:
        yield plain(translator.text("epaulettes: {n}", n=standing.epaulettes))
    if standing.points:
        yield plain(translator.text("points: {n}", n=standing.points))


def _practice(practice: Standing, translator: Translator) -> str:
    return translator.text(
        "against bots alone: {games}, {fools}",
        games=games_text(practice.games, translator),
        fools=_fools(practice, translator),
    )


def _fools(standing: Standing, translator: Translator) -> str:
    return translator.count("fool once", "fool {n} times", standing.fools)


def _story(career: Career, translator: Translator) -> Iterator[Line]:
    form = " ".join(FATES[fate] for fate in career.form)
    yield plain(translator.text("newest games, the last one on the right: {form}", form=form))
    yield plain(_streak(career, translator))
    yield plain(
        translator.text(
            "longest streaks: {safe}; {fool}",
            safe=_safe_in_a_row(career.longest_safe_streak, translator),
            fool=_fool_in_a_row(career.longest_fool_streak, translator),
        )
    )
    if career.trumps:
        yield plain(length_text(career.bouts, career.seconds, translator))
        yield plain(trumps_text(career.trumps, translator))


def _streak(career: Career, translator: Translator) -> str:
    if career.fool_streak:
        return translator.text("now: {streak}", streak=_fool_in_a_row(career.fool_streak, translator))
    return translator.text("now: {streak}", streak=_safe_in_a_row(career.safe_streak, translator))


def _safe_in_a_row(games: int, translator: Translator) -> str:
    return translator.count("{n} game without being the fool", "{n} games without being the fool", games)


def _fool_in_a_row(games: int, translator: Translator) -> str:
    return translator.count("the fool {n} time in a row", "the fool {n} times in a row", games)


def _company(career: Career, against_asker: Duel | None, name: str, translator: Translator) -> Iterator[Line]:
    if career.houses_beaten:
        yield plain(translator.text("bots beaten: {n}", n=career.houses_beaten))
    if career.duels and career.duels[0].decided:
        rival = career.duels[0]
        yield translator.spans(
            "biggest rival: {duel}", duel=_duel(rival, shown_name(rival.name, translator), name, translator)
        )
    if against_asker is not None:
        yield translator.spans(
            "against you: {duel}", duel=_duel(against_asker, translator.text("you"), name, translator)
        )


def _duel(duel: Duel, rival: str, name: str, translator: Translator) -> Line:
    """Say who of two was the fool how often."""
    return translator.spans(
        "{one} {fools} {other} as the fool, in {games} together",
        one=Span(rival, Mark.BOLD),
        other=Span(name, Mark.BOLD),
        fools=f"{duel.their_fools}:{duel.own_fools}",
        games=games_text(duel.games, translator),
    )
