"""Presses that are being answered: until the answer is there, the outbox leaves their message alone."""

from dataclasses import dataclass

from adapters.port import MessageRef
from bot.model.message_slots import Surface


@dataclass(slots=True)
class _Pressed:
    surface: Surface
    waiting: int
    is_crowded: bool = False


class Answers:
    """Which message is about to change by the answer to a press."""

    def __init__(self) -> None:
        self._pressed: dict[MessageRef, _Pressed] = {}

    def expect(self, message: MessageRef, surface: Surface, *, is_crowded: bool) -> None:
        """A press on this message is about to be answered; `is_crowded`: while an edit of it is under way."""
        pressed = self._pressed.setdefault(message, _Pressed(surface, 0))
        pressed.waiting += 1
        pressed.is_crowded |= is_crowded or pressed.waiting > 1

    def settle(self, message: MessageRef) -> tuple[Surface, bool] | None:
        """One press on this message was answered.

        Returns:
            The message's surface, and whether something else was sent there at the same time, so that nobody
            knows what it shows; None when no answer was expected.
        """
        pressed = self._pressed.get(message)
        if pressed is None:
            return None
        pressed.waiting -= 1
        if not pressed.waiting:
            del self._pressed[message]
        return pressed.surface, pressed.is_crowded
