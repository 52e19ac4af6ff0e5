"""How one person plays."""

from collections.abc import Iterator
from dataclasses import dataclass

from adapters.port import Mark, Screen, Span
from bot.locale import Voice
from bot.model.standings import Career, Duel, Fate, Standing
from bot.screens.people import safe_name
from bot.screens.standings.phrases import (
    games_text,
    index_text,
    length_text,
    lines,
    nothing_text,
    percent,
    plain,
    shown_name,
    trumps_text,
)
from bot.screens.story import Line
from bot.screens.table import stacked

FATES = {Fate.FOOL: "🃏", Fate.FIRST_OUT: "⭐", Fate.DRAW: "🤝", Fate.SAFE: "✔️"}


@dataclass(frozen=True, slots=True)
class RatingPlace:
    """A rating, and its place among those who are rated."""

    points: float
    place: int
    of: int


def stats_screen(
    standing: Standing | None,
    name: str,
    voice: Voice,
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
        voice: Says it.
        career: What their games tell in their order.
        rating: How strong they are.
        against_asker: How they fared against who asks, when that is somebody else.
        practice: Their numbers against house players alone, which count for nothing else.
    """
    called = safe_name(name) or voice.say("Player")
    title = (Span(called, Mark.BOLD),)
    numbers = [plain(nothing_text(voice))] if standing is None else list(_numbers(standing, rating, voice))
    parts = [title, lines(numbers)]
    if career is not None:
        parts.append(lines(list(_story(career, voice))))
        parts.append(lines(list(_company(career, against_asker, called, voice))))
    if practice is not None:
        parts.append(plain(_practice(practice, voice)))
    return Screen(body=stacked([part for part in parts if part]))


def _numbers(standing: Standing, rating: RatingPlace | None, voice: Voice) -> Iterator[Line]:
    yield plain(games_text(standing.games, voice))
    yield plain(f"{_fools(standing, voice)} · {percent(standing.rate)}")
    yield plain(voice.say("first out: {n}", n=standing.first_out))
    yield plain(voice.say("draws: {n}", n=standing.draws))
    index = index_text(standing)
    yield plain(voice.say("fool index: {index} (1.00 is average, lower is better)", index=index))
    if rating is not None:
        yield plain(
            voice.say(
                "rating: {rating}, place {place} of {people} (who is new has 0)",
                rating=f"{rating.points:.1f}",
                place=rating.place,
                people=rating.of,
            )
        )
    if standing.epaulettes:
        yield plain(voice.say("epaulettes: {n}", n=standing.epaulettes))
    if standing.points:
        yield plain(voice.say("points: {n}", n=standing.points))


def _practice(practice: Standing, voice: Voice) -> str:
    return voice.say(
        "against house players alone: {games}, {fools}",
        games=games_text(practice.games, voice),
        fools=_fools(practice, voice),
    )


def _fools(standing: Standing, voice: Voice) -> str:
    return voice.count("fool once", "fool {n} times", standing.fools)


def _story(career: Career, voice: Voice) -> Iterator[Line]:
    form = " ".join(FATES[fate] for fate in career.form)
    yield plain(voice.say("newest games, the last one on the right: {form}", form=form))
    yield plain(_streak(career, voice))
    yield plain(
        voice.say(
            "longest streaks: {safe}; {fool}",
            safe=_safe_in_a_row(career.longest_safe_streak, voice),
            fool=_fool_in_a_row(career.longest_fool_streak, voice),
        )
    )
    if career.trumps:
        yield plain(length_text(career.bouts, career.seconds, voice))
        yield plain(trumps_text(career.trumps, voice))


def _streak(career: Career, voice: Voice) -> str:
    if career.fool_streak:
        return voice.say("now: {streak}", streak=_fool_in_a_row(career.fool_streak, voice))
    return voice.say("now: {streak}", streak=_safe_in_a_row(career.safe_streak, voice))


def _safe_in_a_row(games: int, voice: Voice) -> str:
    return voice.count("{n} game without being the fool", "{n} games without being the fool", games)


def _fool_in_a_row(games: int, voice: Voice) -> str:
    return voice.count("the fool {n} time in a row", "the fool {n} times in a row", games)


def _company(career: Career, against_asker: Duel | None, name: str, voice: Voice) -> Iterator[Line]:
    if career.houses_beaten:
        yield plain(voice.say("house players beaten: {n}", n=career.houses_beaten))
    if career.duels and career.duels[0].decided:
        rival = career.duels[0]
        yield voice.spans(
            "biggest rival: {duel}", duel=_duel(rival, shown_name(rival.name, voice), name, voice)
        )
    if against_asker is not None:
        yield voice.spans("against you: {duel}", duel=_duel(against_asker, voice.say("you"), name, voice))


def _duel(duel: Duel, rival: str, name: str, voice: Voice) -> Line:
    """Say who of two was the fool how often."""
    return voice.spans(
        "{one} {fools} {other} as the fool, in {games} together",
        one=Span(rival, Mark.BOLD),
        other=Span(name, Mark.BOLD),
        fools=f"{duel.their_fools}:{duel.own_fools}",
        games=games_text(duel.games, voice),
    )
