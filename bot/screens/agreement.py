"""The question whether to stop a running game, for everybody who plays to answer."""

from collections.abc import Mapping

from adapters.port import CallbackButton, Span, Tone
from bot.locale import Translator, gettext_noop
from bot.model.button_data import HostAction, HostGame
from bot.model.table import Table
from bot.screens.scene import Scene
from bot.screens.story import Line
from engine import Stop

_STOPPED: Mapping[Stop, str] = {
    Stop.AGREEMENT: gettext_noop("All players agreed to stop: the game has no result."),
    Stop.MODERATOR: gettext_noop("A chat admin stopped the game: it has no result."),
}


def stopped_line(by: Stop, translator: Translator) -> Line:
    """Say who stopped a game."""
    return translator.spans(_STOPPED[by])


def question_line(scene: Scene, translator: Translator) -> Line:
    """Say who wants to stop the game and who has not said so; nothing if nobody does."""
    table = scene.table
    agreed = [scene.names[seat] for seat, each in enumerate(table.players) if each.user in table.agreed]
    if not agreed:
        return ()
    waiting = [scene.names[seat] for seat in table.seats_to_ask(scene.away)]
    return translator.spans(
        "Stop this game? Agreed: {agreed}. Waiting for: {waiting}.",
        agreed=Span(", ".join(agreed)),
        waiting=Span(", ".join(waiting)),
    )


def question_rows(table: Table, translator: Translator) -> tuple[tuple[CallbackButton, ...], ...]:
    """Let people answer, as long as somebody asks."""
    if not table.agreed:
        return ()
    stop, play_on = (HostGame(table.id, table.game, each) for each in (HostAction.STOP, HostAction.PLAY_ON))
    return (
        (
            CallbackButton(str(stop), translator.text("Yes, stop"), Tone.DANGER),
            CallbackButton(str(play_on), translator.text("Play on"), Tone.GOOD),
        ),
    )
