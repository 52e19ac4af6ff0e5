"""What the opener of a table and the admins of its chat can do about a running game."""

from adapters.port import Choice, Tone
from bot.locale import Voice
from bot.screens.paging import in_rows
from bot.screens.scene import Scene
from bot.tokens import HostAction, HostGame

HOST_PANEL = "host"
MOST_PEOPLE = 6
"""So many people's seats find room beside the other buttons in every chat."""


def host_rows(scene: Scene, voice: Voice) -> tuple[tuple[Choice, ...], ...]:
    """Lay out the buttons: time, those everybody waits for, and people whose seats can be taken over."""
    lobby = scene.lobby

    def button(action: HostAction, label: str, tone: Tone = Tone.NEUTRAL, seat: int | None = None) -> Choice:
        return Choice(str(HostGame(lobby.id, lobby.game, action, seat)), label, tone)

    time = (
        button(HostAction.RESUME, voice.say("Go on"), Tone.GOOD)
        if lobby.options.is_paused
        else button(HostAction.PAUSE, voice.say("Pause"))
    )
    people = [
        button(HostAction.REPLACE, voice.say("House player for {name}", name=scene.names[seat]), seat=seat)
        for seat, sitter in enumerate(lobby.sitters)
        if not sitter.is_house and not sitter.has_left and seat not in scene.view.out
    ]
    return (
        (time, button(HostAction.SKIP, voice.say("Move for who is waited for"))),
        *in_rows(people[:MOST_PEOPLE], 2),
        (
            button(HostAction.STOP, voice.say("Stop the game"), Tone.DANGER),
            button(HostAction.CLOSE, voice.say("Back")),
        ),
    )


def host_button(scene: Scene, voice: Voice) -> Choice:
    """Open the panel."""
    return Choice(str(HostGame(scene.lobby.id, scene.lobby.game, HostAction.OPEN)), voice.say("Host"))
