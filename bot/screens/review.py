"""What somebody's dearest moves were; only they may see it."""

from collections.abc import Mapping

from adapters.port import Mark, Screen, Span
from bot.locale import Translator, gettext_noop
from bot.model.findings import Findings, NoFindings
from bot.screens.cards import in_hand_order
from bot.screens.hand import advice_line, hand_lines
from bot.screens.moves import move_label
from bot.screens.standings.phrases import percent
from bot.screens.story import Line
from bot.screens.table import bout_lines, lines_under_one_another, stacked, stock_line
from engine import Regret, SeatView

_WITHOUT: Mapping[NoFindings, str] = {
    NoFindings.NO_CHOICE: gettext_noop("You had nothing to choose in this game."),
    NoFindings.NO_LOOK_AHEAD: gettext_noop("There is no review for these rules yet."),
    NoFindings.FAILED: gettext_noop("Looking at your game failed. Please try again: /review"),
}


def looking_screen(translator: Translator) -> Screen:
    """Say that somebody's game is being looked at."""
    return Screen(
        body=translator.spans(
            "🔎 Looking at your game: the answer comes in some ten seconds, to you alone. "
            "/review shows it again."
        )
    )


def review_screen(game: int, found: Findings, translator: Translator) -> Screen:
    """Show the moves that cost most, each with the position in which it was made, or why there are none."""
    title = (Span(translator.text("Review · game {n}", n=game), Mark.BOLD),)
    if isinstance(found, NoFindings):
        return Screen(body=stacked([title, translator.spans(_WITHOUT[found])]))
    nothing = translator.spans("Nothing to regret: an expert would hardly have done better.")
    told = [_regret_lines(regret, translator) for regret in found] or [nothing]
    basis = translator.spans(
        "An expert's estimate, from what you could know at that moment.", mark=Mark.ITALIC
    )
    return Screen(body=stacked([title, *told, basis]))


def _regret_lines(regret: Regret, translator: Translator) -> Line:
    decision = regret.decision
    view, public = decision.view, decision.view.public
    rows = (
        (Span(translator.text(_role(view), n=decision.bout), Mark.BOLD),),
        stock_line(public, translator),
        bout_lines(public, translator),
        hand_lines(in_hand_order(view), translator),
        advice_line(regret.best, public, translator),
        translator.spans("You played: {move}", move=move_label(decision.played, public, translator)),
        translator.spans(
            "Risk of being the fool: {least} → {risk}",
            least=percent(regret.least),
            risk=Span(percent(regret.risk), Mark.BOLD),
        ),
    )
    return lines_under_one_another(*rows)


def _role(view: SeatView) -> str:
    public = view.public
    if view.seat == public.defender:
        return gettext_noop("Round {n}: you defend")
    return gettext_noop("Round {n}: you throw in") if public.bout else gettext_noop("Round {n}: you attack")
