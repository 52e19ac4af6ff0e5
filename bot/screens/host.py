"""The host's panel of a running game, and the screens about stopping a game."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from adapters import port
from bot.locale import Translator, gettext_noop
from bot.model.buttons import ChangeLobby, HostAction, HostGame, LobbyAction
from bot.model.table import Table
from bot.screens.keyboard import button_to, rows_of
from bot.screens.names import names_of
from bot.screens.story import Scene
from bot.screens.text import Line, as_lines
from engine import Seat, Stop

_STOPPED: Mapping[Stop, str] = {
    Stop.AGREEMENT: gettext_noop("All players agreed to stop: the game has no result."),
    Stop.MODERATOR: gettext_noop("A chat admin stopped the game: it has no result."),
    Stop.DELETION: gettext_noop("The chat of this game was deleted: it has no result."),
    Stop.ABSENCE: gettext_noop("Nobody came back for a day: the game has no result."),
    Stop.TIME: gettext_noop("This round of the cup ended without it: the game has no result."),
}


def stopped_line(by: Stop, translator: Translator, *, is_alone: bool = False) -> Line:
    """Returns why a game was stopped; a person who `is_alone` among bots needed nobody's consent."""
    if is_alone and by is Stop.AGREEMENT:
        return translator.spans("The game was stopped: it has no result.")
    return translator.spans(_STOPPED[by])


def stop_question(table: Table, away: Collection[Seat], translator: Translator) -> Line:
    """Names the players who want to stop a game, and those who still have to agree, except seats `away`.

    It also tells what happens then. Empty if nobody wants to stop.
    """
    if not seats_that_agreed(table):
        return ()

    return as_lines(
        _proposal(table, translator),
        still_to_agree(table, away, translator),
        translator.spans("If all agree, nobody is the fool."),
    )


def stop_request(table: Table, translator: Translator) -> Line:
    """Asks a player who hasn't agreed yet to stop the game."""
    return as_lines(_proposal(table, translator), translator.spans("Do you agree? Then nobody is the fool."))


def stop_notice(scene: Scene) -> Line:
    """Tells in the open panel what stopping means; empty if the panel is closed, or the game over."""
    if scene.table.panel != HOST_PANEL or scene.view.outcome is not None:
        return ()
    return scene.translator.spans("A stopped game has no result: nobody is the fool.")


def _proposal(table: Table, translator: Translator) -> Line:
    """Names the players who want to stop a game."""
    names = names_of(table.players)
    agreed = [names[seat] for seat in seats_that_agreed(table)]
    proposal = translator.count(
        "{names} proposes to stop the game.",
        "{names} propose to stop the game.",
        len(agreed),
        names=translator.listing(agreed),
    )
    return (port.Span(proposal),)


def seats_that_agreed(table: Table) -> tuple[Seat, ...]:
    """Returns the seats of the players who want to stop a game."""
    return tuple(seat for seat, player in enumerate(table.players) if player.user in table.agreed)


def still_to_agree(table: Table, away: Collection[Seat], translator: Translator) -> Line:
    """Mentions the players whose consent to stop a game is missing, so that they are notified."""
    names = names_of(table.players)
    seats = table.seats_to_ask(away)
    if not seats:
        return ()

    people = _listing(
        [port.Span(names[seat], mention=table.players[seat].user) for seat in seats], translator
    )
    return translator.count_spans(
        "{names} still has to agree.", "{names} still have to agree.", len(seats), names=people
    )


def _listing(people: Sequence[port.Span], translator: Translator) -> Line:
    """Returns mentions as an enumeration, with the language's “and”."""
    before, *after = translator.listing(["\n"] * len(people)).split("\n")
    pieces = [port.Span(before)]
    for person, between in zip(people, after, strict=True):
        pieces += [person, port.Span(between)]

    return tuple(piece for piece in pieces if piece.text)


def stop_wish(table: Table, away: Collection[Seat], translator: Translator) -> Line:
    """Tells a player who wants to stop a game which consents are missing."""
    wish = translator.spans("You proposed to stop the game.")
    return as_lines(wish, still_to_agree(table, away, translator))


def stop_wish_screen(
    table: Table, wish: Line, message: port.MessageRef | None, translator: Translator
) -> port.Screen:
    """Shows a player their own wish to stop a game, with a link to the table and a button to play on."""
    _, play_on = stop_buttons(table, translator)
    return port.Screen(as_lines(wish, _way_to(message, translator)), rows=((play_on,),))


def close_question_screen(
    table: Table, others: int, message: port.MessageRef | None, translator: Translator
) -> port.Screen:
    """Asks whether to close a table at which `others` are seated, with a link to the table."""
    question = translator.count(
        "{n} other player is in. Close the table?", "{n} other players are in. Close the table?", others
    )
    close = ChangeLobby(table.id, table.game, LobbyAction.CLOSE)
    close_button = button_to(close, translator.text("Close the table"), port.Tone.DANGER)
    body = as_lines((port.Span(question),), _way_to(message, translator))
    return port.Screen(body, rows=((close_button,),))


def stop_question_screen(
    table: Table, question: Line, message: port.MessageRef | None, translator: Translator
) -> port.Screen:
    """Repeats the question whether to stop a game, with its buttons and a link to the table."""
    lines = as_lines(question, _way_to(message, translator))
    return port.Screen(lines, rows=(stop_buttons(table, translator),))


def _way_to(message: port.MessageRef | None, translator: Translator) -> Line:
    return (port.Span(translator.text("To the table"), link=message),) if message is not None else ()


def stop_buttons(table: Table, translator: Translator) -> tuple[port.CallbackButton, port.CallbackButton]:
    """Returns the two buttons that answer the question whether to stop a game.

    The first is not for people who have agreed already.
    """
    stop = HostGame(table.id, table.game, HostAction.STOP)
    play_on = HostGame(table.id, table.game, HostAction.PLAY_ON)
    agreed = tuple(user for user in table.people() if user in table.agreed)
    agree = button_to(stop, translator.text("Yes, stop"), port.Tone.DANGER)
    return replace(agree, besides=agreed), button_to(play_on, translator.text("Play on"), port.Tone.GOOD)


PLAYS_ON = gettext_noop("The game goes on.")


def plays_on_screen(name: str, translator: Translator) -> port.Screen:
    """Tells the room which player refused to stop the game."""
    return port.Screen(translator.spans("▶️ {name} wants to play on: the game isn't stopped.", name=name))


HOST_PANEL = "host"

MAX_REPLACEABLE = 6  # seats that fit beside the other buttons in every chat


def host_rows(
    scene: Scene, limits: port.Limits, reader: Seat | None = None
) -> tuple[tuple[port.CallbackButton, ...], ...]:
    """Lays out the open panel: pause, stop, and buttons for players who were called or have left the chat.

    A panel for one person has no such buttons for the `reader`'s own seat. The room's has them for the host
    as well, because the admins need them when the host is late. Empty if the panel is closed, or the game
    over.
    """
    table = scene.table
    translator = scene.translator
    if table.panel != HOST_PANEL or scene.view.outcome is not None:
        return ()

    def button(
        action: HostAction, label: str, tone: port.Tone = port.Tone.NEUTRAL, seat: int | None = None
    ) -> port.CallbackButton:
        return button_to(HostGame(table.id, table.game, action, seat), label, tone)

    if table.options.is_paused:
        time = [button(HostAction.RESUME, translator.text("Go on"), port.Tone.GOOD)]
    else:
        time = [button(HostAction.PAUSE, translator.text("Pause"))]

    late = set[Seat]() if scene.waiting is None else scene.waiting.called_seats - {reader}
    if late:
        time.append(button(HostAction.SKIP, translator.text("⏩ Move for them")))

    people = [
        button(HostAction.REPLACE, translator.text("Bot for {name}", name=scene.names[seat]), seat=seat)
        for seat in sorted((late | scene.gone) - {reader})[:MAX_REPLACEABLE]
    ]
    others_to_ask = set(table.people()) - table.agreed - {table.opener}
    stop = translator.text("Propose to stop") if others_to_ask else translator.text("Stop the game")
    away = [button(HostAction.STOP, stop, port.Tone.DANGER)]
    if not limits.boards:  # a chat with boards shows the panel in a dialog, which has its own Close
        away.append(button(HostAction.CLOSE, translator.text("Back")))

    return rows_of((), time, people, away, limits=limits)
