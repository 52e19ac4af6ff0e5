"""What the opener of a table and the admins of its chat can do about a running game."""

from adapters.port import CallbackButton, Tone
from bot.locale import Translator
from bot.model.button_data import HostAction, HostGame
from bot.screens.paging import in_rows
from bot.screens.scene import Scene

HOST_PANEL = "host"
MOST_PEOPLE = 6
"""So many people's seats find room beside the other buttons in every chat."""


def host_rows(scene: Scene, translator: Translator) -> tuple[tuple[CallbackButton, ...], ...]:
    """Lay out the buttons: time, and those everybody waits for, once they were called."""
    table = scene.table

    def button(
        action: HostAction, label: str, tone: Tone = Tone.NEUTRAL, seat: int | None = None
    ) -> CallbackButton:
        return CallbackButton(str(HostGame(table.id, table.game, action, seat)), label, tone)

    time = (
        button(HostAction.RESUME, translator.text("Go on"), Tone.GOOD)
        if table.options.is_paused
        else button(HostAction.PAUSE, translator.text("Pause"))
    )
    called = frozenset[int]() if scene.waiting is None else scene.waiting.called
    people = [
        button(HostAction.REPLACE, translator.text("Bot for {name}", name=scene.names[seat]), seat=seat)
        for seat in sorted(called)
    ]
    skip = (button(HostAction.SKIP, translator.text("⏩ Move for them")),) if called else ()
    return (
        (time, *skip),
        *in_rows(people[:MOST_PEOPLE], 2),
        (
            button(HostAction.STOP, translator.text("Stop the game"), Tone.DANGER),
            button(HostAction.CLOSE, translator.text("Back")),
        ),
    )


def host_button(scene: Scene, translator: Translator) -> CallbackButton:
    """Open the panel."""
    return CallbackButton(
        str(HostGame(scene.table.id, scene.table.game, HostAction.OPEN)), translator.text("⚙️ Table")
    )
