"""A short call to those everybody is waiting for; it notifies them and goes away after their move."""

from collections.abc import Collection

from adapters.port import Screen, Span
from bot.locale import Voice
from bot.screens.scene import Scene


def call_screen(scene: Scene, seats: Collection[int], voice: Voice) -> Screen | None:
    """Mention the people on these seats; None when there is nobody to call."""
    called: list[Span] = []
    for seat in sorted(seats):
        user = scene.lobby.sitters[seat].user
        if user is not None:
            called += [Span(", ")] if called else []
            called.append(Span(scene.names[seat], mention=user))
    return Screen(body=voice.spans("⏰ {names}: your move!", names=tuple(called))) if called else None
