"""Presses that are being answered: until the answer is there, the outbox leaves their message alone."""

from dataclasses import dataclass

from adapters.port import MessageRef
from bot.model.message_slots import MessageSlot


@dataclass(slots=True)
class _Pressed:
    slot: MessageSlot
    waiting: int
    is_crowded: bool = False


class PendingAnswers:
    """Which message is about to change by the answer to a press."""

    def __init__(self) -> None:
        self._pressed: dict[MessageRef, _Pressed] = {}

    def expect(self, message: MessageRef, slot: MessageSlot, *, is_crowded: bool) -> None:
        """A press on this message is about to be answered; `is_crowded`: while an edit of it is under way."""
        pressed = self._pressed.setdefault(message, _Pressed(slot, 0))
        pressed.waiting += 1
        pressed.is_crowded |= is_crowded or pressed.waiting > 1

    def settle(self, message: MessageRef) -> tuple[MessageSlot, bool] | None:
        """One press on this message was answered.

        Returns:
            The message's slot, and whether something else was sent there at the same time, so that nobody
            knows what it shows; None when no answer was expected.
        """
        pressed = self._pressed.get(message)
        if pressed is None:
            return None
        pressed.waiting -= 1
        if not pressed.waiting:
            del self._pressed[message]
        return pressed.slot, pressed.is_crowded
