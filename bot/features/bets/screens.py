"""Bets for honour on the fool: the question under a running table, and the prophets of a result."""

from adapters.port import CallbackButton, Limits, Mark, Screen, Span
from bot.features.bets.buttons import AskBet, PlaceBet
from bot.features.bets.model import BetTally, GameProphets, WeekProphets, seats_to_bet_on
from bot.locale import Translator, gettext_noop
from bot.model.table import Table
from bot.screens.keyboard import button_to, rows_of
from bot.screens.names import names_of, shown_name, team_sign
from bot.screens.text import Line, as_lines
from engine import Seat

CLOSED = gettext_noop("🔮 No more bets on this game.")
PLACED_ALREADY = gettext_noop("🔮 You've bet already: {name}. The result shows whether you were right.")
SAW_IT_COMING = gettext_noop("🔮 Saw it coming: {names}")

MAX_NAMED = 5  # prophets named in a result; the others are only counted


def bet_button(table: Table, translator: Translator) -> CallbackButton:
    """Returns the button under a running table that asks for a bet."""
    return button_to(AskBet(table.id, table.game), translator.text("🔮 Who loses?"))


def bet_screen(table: Table, own_seat: Seat | None, limits: Limits, translator: Translator) -> Screen:
    """Asks a person for a bet; players cannot choose their own seat or team."""
    buttons = [
        button_to(PlaceBet(table.id, table.game, seat), name_of_bet(table, seat, translator))
        for seat in seats_to_bet_on(table.rules, len(table.players), own_seat)
    ]
    question = gettext_noop("🔮 Who will be the fool?")
    if table.rules.teams != "off":
        question = gettext_noop("🔮 Which team will lose?")

    secrecy = translator.spans(
        "One bet, for honour. Nobody sees it before the result, and you can't change it.", mark=Mark.ITALIC
    )
    body = as_lines(translator.spans(question, mark=Mark.BOLD), secrecy)
    return Screen(body, rows=rows_of(buttons, limits=limits))


def placed_text(table: Table, seat: Seat, translator: Translator) -> str:
    """Returns the confirmation of a bet."""
    name = name_of_bet(table, seat, translator)
    return translator.text("🔮 Your bet: {name}. The result shows whether you were right.", name=name)


def name_of_bet(table: Table, seat: Seat, translator: Translator) -> str:
    """Returns the name of a seat's player; in a team game, the sign and the names of the team."""
    names = names_of(table.players)
    if table.rules.teams == "off":
        return names[seat]

    team = table.rules.partners(seat, len(names))
    return f"{team_sign(table.rules, seat)} {translator.listing([names[partner] for partner in team])}"


def game_prophets_line(prophets: GameProphets, translator: Translator) -> Line:
    """Names the people with a right bet; empty if nobody placed a bet."""
    if not prophets.bets:
        return ()
    if not prophets.names:
        return translator.spans("🔮 Nobody saw it coming.")

    names = [shown_name(name, translator) for name in prophets.names[:MAX_NAMED]]
    others = len(prophets.names) - len(names)
    more = f" +{others}" if others else ""
    return translator.spans(SAW_IT_COMING, names=f"{', '.join(names)}{more}")


def tally_line(tally: BetTally, translator: Translator) -> Line:
    """Counts a person's bets and the right ones; empty if they placed none."""
    if not tally.bets:
        return ()
    text = translator.text("🔮 Bets on the fool: {n} of {all} right", n=tally.right, all=tally.bets)
    return (Span(text),)


def week_prophets_line(prophets: WeekProphets | None, translator: Translator) -> Line:
    """Names the prophets of a week; empty if it had none."""
    if prophets is None:
        return ()
    return translator.spans(
        "🔮 Prophet of the week: {name} ({n} of {all} bets right)",
        name=translator.listing([shown_name(name, translator) for name in prophets.names]),
        n=str(prophets.right),
        all=str(prophets.bets),
    )
