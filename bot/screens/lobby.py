"""A table before the cards are dealt: who sits, which rules, and the buttons to get going."""

from collections.abc import Sequence

from adapters.port import CallbackButton, Limits, Mark, Screen, Span, Tone
from bot.locale import Voice, sentence
from bot.model.button_data import ChangeLobby, ChangeOption, LobbyAction
from bot.model.table import Lobby
from bot.screens.agreement import stopped_line
from bot.screens.options import FIRST_PANEL, differences_in_words, option_rows
from bot.screens.people import names_of
from bot.screens.story import Line
from bot.screens.table import BREAK, house_line, seal_line, stacked, title_span
from bot.screens.teams import team_sign

FEWEST_TO_CHANGE = 3
"""With fewer at the table it makes no difference who sits where."""


def lobby_screen(lobby: Lobby, seal: str, rule_sets: Sequence[str], limits: Limits, voice: Voice) -> Screen:
    """Show who sits at the table and let people join; anybody may press, the lobby decides.

    `seal` promises the seed of the deal; `rule_sets` are the names one can choose rules by.
    """
    blocks = [
        (title_span(lobby, voice), *_differences(lobby, voice), *house_line(lobby, voice)),
        _seats(lobby, voice),
        voice.spans(_hint(lobby), mark=Mark.ITALIC),
        seal_line(seal, voice),
    ]
    panel = () if lobby.panel is None else option_rows(lobby, rule_sets, limits, voice)
    return Screen(body=stacked(blocks), rows=(*_buttons(lobby, voice), *panel))


def settings_screen(lobby: Lobby, rule_sets: Sequence[str], limits: Limits, voice: Voice) -> Screen:
    """Show the opener alone what is open of the settings; nothing to press when none is."""
    rows = () if lobby.panel is None else option_rows(lobby, rule_sets, limits, voice)
    return Screen(body=(title_span(lobby, voice), *_differences(lobby, voice)), rows=rows)


def closed_screen(lobby: Lobby, voice: Voice) -> Screen:
    """What is left of a table that was put away."""
    stopped = () if lobby.stopped is None else stopped_line(lobby.stopped, voice)
    notice = voice.spans("This table is closed. /durak opens another.")
    return Screen(body=stacked([(title_span(lobby, voice),), stopped, notice]))


def frozen_screen(lobby: Lobby, voice: Voice) -> Screen:
    """What is shown of a table whose record contradicts itself."""
    apology = voice.spans(
        "Sorry: the record of this game is damaged, so it cannot go on. The games before it are safe. "
        "/stop puts the table away."
    )
    return Screen(body=stacked([(title_span(lobby, voice),), apology]))


def _hint(lobby: Lobby) -> str:
    if lobby.starts_by_itself:
        return sentence("All seats are taken: the cards are dealt in a moment.")
    if not lobby.rules.clashes(len(lobby.sitters)):
        return sentence("Press Start when everybody is here.")
    return sentence("Waiting for players: press Join.")


def _differences(lobby: Lobby, voice: Voice) -> Line:
    changed = differences_in_words(lobby, voice)
    return (BREAK, Span(changed, Mark.ITALIC)) if changed else ()


def _seats(lobby: Lobby, voice: Voice) -> Line:
    heading = voice.say("Players {n} of {most}", n=len(lobby.sitters), most=lobby.rules.most_seats)
    spans = [Span(heading, Mark.BOLD)]
    for seat, (name, sitter) in enumerate(zip(names_of(lobby.sitters), lobby.sitters, strict=True)):
        spans += [BREAK, Span(f"{team_sign(lobby.rules, seat) or '•'} "), Span(name)]
        if sitter.user == lobby.opener:
            spans.append(Span(voice.say(" · opened the table"), Mark.ITALIC))
    return tuple(spans)


def _buttons(lobby: Lobby, voice: Voice) -> tuple[tuple[CallbackButton, ...], ...]:
    def button(action: LobbyAction, label: str, tone: Tone = Tone.NEUTRAL) -> CallbackButton:
        return CallbackButton(str(ChangeLobby(lobby.id, lobby.game, action)), label, tone)

    has_house = any(sitter.is_house for sitter in lobby.sitters)
    people = (() if lobby.is_full else (button(LobbyAction.JOIN, voice.say("Join"), Tone.PRIMARY),)) + (
        button(LobbyAction.LEAVE, voice.say("Leave")),
    )
    house = (() if lobby.is_full else (button(LobbyAction.HOUSE, voice.say("Add house player")),)) + (
        (button(LobbyAction.UNHOUSE, voice.say("Remove house player")),) if has_house else ()
    )
    setting_up = (
        CallbackButton(str(ChangeOption(lobby.id, lobby.game, FIRST_PANEL)), voice.say("Settings")),
        *(
            (button(LobbyAction.SEATS, voice.say("Change seats")),)
            if len(lobby.sitters) >= FEWEST_TO_CHANGE
            else ()
        ),
    )
    going = (
        button(LobbyAction.START, voice.say("Start"), Tone.GOOD),
        button(LobbyAction.CLOSE, voice.say("Close")),
    )
    return tuple(row for row in (people, house, setting_up, going) if row)
