"""A table before the cards are dealt: who sits, which rules, and the buttons to get going."""

from collections.abc import Sequence

from adapters.port import (
    CallbackButton,
    FinishedGame,
    Limits,
    LobbyBoard,
    LobbySeat,
    Mark,
    Screen,
    Span,
    Tone,
)
from bot.locale import Translator
from bot.model.button_data import ChangeLobby, ChangeOption, LobbyAction
from bot.model.table import Table
from bot.screens.agreement import stopped_line
from bot.screens.options import FIRST_PANEL, differences_in_words, option_rows
from bot.screens.people import names_of
from bot.screens.story import Line
from bot.screens.table import (
    BREAK,
    house_line,
    lines_under_one_another,
    seal_line,
    stacked,
    title_span,
)
from bot.screens.teams import team_sign

FEWEST_TO_CHANGE = 3
"""With fewer at the table it makes no difference who sits where."""


def lobby_screen(
    table: Table, seal: str, rule_sets: Sequence[str], limits: Limits, translator: Translator
) -> Screen:
    """Show who sits at the table and let people join; anybody may press, the lobby decides.

    `seal` promises the seed of the deal; `rule_sets` are the names one can choose rules by.
    """
    body = lines_under_one_another(
        _about(table, translator),
        _seats(table, translator),
        _hint(table, translator),
        seal_line(seal, translator),
    )
    panel = () if table.panel is None else option_rows(table, rule_sets, limits, translator)
    return Screen(body=body, rows=(*_buttons(table, translator), *panel))


def lobby_board(table: Table, seal: str, translator: Translator) -> LobbyBoard:
    """Return the same facts, for a chat that draws the table itself."""
    return LobbyBoard(
        id=f"{table.id}:{table.game}",
        about=_about(table, translator),
        heading=translator.text("Players {n} of {most}", n=len(table.players), most=table.rules.most_seats),
        players=tuple(
            LobbySeat(name, player.user, player.user == table.opener, team_sign(table.rules, seat))
            for seat, (name, player) in enumerate(zip(names_of(table.players), table.players, strict=True))
        ),
        most=table.rules.most_seats,
        says=_hint(table, translator),
        seal=seal_line(seal, translator),
    )


def settings_screen(table: Table, rule_sets: Sequence[str], limits: Limits, translator: Translator) -> Screen:
    """Show the opener alone what is open of the settings; nothing to press when none is."""
    rows = () if table.panel is None else option_rows(table, rule_sets, limits, translator)
    return Screen(body=(title_span(table, translator), *_differences(table, translator)), rows=rows)


def closed_screen(table: Table, translator: Translator) -> Screen:
    """What is left of a table that was put away."""
    stopped = () if table.stopped is None else stopped_line(table.stopped, translator)
    notice = translator.spans("This table is closed. /durak opens another.")
    return Screen(
        body=stacked([(title_span(table, translator),), stopped, notice]),
        ended=None if table.stopped is None else FinishedGame(table.id, table.game),
    )


def frozen_screen(table: Table, translator: Translator) -> Screen:
    """What is shown of a table whose record contradicts itself."""
    apology = translator.spans(
        "Sorry: this game is damaged and cannot go on. Earlier games are safe. /stop closes the table."
    )
    return Screen(body=stacked([(title_span(table, translator),), apology]))


def _hint(table: Table, translator: Translator) -> Line:
    """Say what brings the game nearer, and by name who has to do what not everybody may."""
    if table.starts_by_itself:
        return translator.spans("All seats are taken: the cards are dealt in a moment.", mark=Mark.ITALIC)
    if not table.can_start:
        return translator.spans("Waiting for players: press Join, or Add bot.", mark=Mark.ITALIC)
    seat = table.seat_of(table.opener)
    host = names_of(table.players)[seat or 0]
    return translator.spans("{host}, press Start when everyone's in.", mark=Mark.ITALIC, host=host)


def _differences(table: Table, translator: Translator) -> Line:
    changed = differences_in_words(table, translator)
    return (BREAK, Span(changed, Mark.ITALIC)) if changed else ()


def _about(table: Table, translator: Translator) -> Line:
    return title_span(table, translator), *_differences(table, translator), *house_line(table, translator)


def _seats(table: Table, translator: Translator) -> Line:
    """Name who sits at the table, in order, and say how many find room."""
    spans: list[Span] = []
    for seat, (name, player) in enumerate(zip(names_of(table.players), table.players, strict=True)):
        sign = team_sign(table.rules, seat)
        spans += [Span(", " if spans else ""), Span(f"{sign} " if sign else ""), Span(name, Mark.BOLD)]
        if player.user == table.opener:
            spans.append(Span(translator.text(" (host)")))
    if spans:
        spans.append(Span(" · "))
    taken = translator.text("{n} of {most}", n=len(table.players), most=table.rules.most_seats)
    return *(span for span in spans if span.text), Span(taken)


def _buttons(table: Table, translator: Translator) -> tuple[tuple[CallbackButton, ...], ...]:
    """Lay out what can be pressed; bright is what brings the game nearer now."""

    def button(action: LobbyAction, label: str, tone: Tone = Tone.NEUTRAL) -> CallbackButton:
        return CallbackButton(str(ChangeLobby(table.id, table.game, action)), label, tone)

    helps_alone = Tone.NEUTRAL if table.can_start else Tone.PRIMARY
    has_house = any(player.is_house for player in table.players)
    people = (() if table.is_full else (button(LobbyAction.JOIN, translator.text("Join"), Tone.PRIMARY),)) + (
        button(LobbyAction.LEAVE, translator.text("Leave")),
    )
    house = (
        () if table.is_full else (button(LobbyAction.HOUSE, translator.text("Add bot"), helps_alone),)
    ) + ((button(LobbyAction.UNHOUSE, translator.text("Remove bot")),) if has_house else ())
    setting_up = (
        CallbackButton(str(ChangeOption(table.id, table.game, FIRST_PANEL)), translator.text("Settings")),
        *(
            (button(LobbyAction.SEATS, translator.text("Change seats")),)
            if len(table.players) >= FEWEST_TO_CHANGE
            else ()
        ),
    )
    going = (
        button(LobbyAction.START, translator.text("Start"), Tone.GOOD if table.can_start else Tone.NEUTRAL),
        button(LobbyAction.CLOSE, translator.text("Close")),
    )
    return tuple(row for row in (people, house, setting_up, going) if row)
