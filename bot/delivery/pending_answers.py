"""Presses that are being answered: until the answer is there, the outbox leaves their message alone."""

from dataclasses import dataclass

from adapters.port import MessageRef
from bot.delivery.chat_queue import ChatQueue
from bot.model.message_slots import MessageSlot


@dataclass(slots=True)
class _Pressed:
    slot: MessageSlot
    queue: ChatQueue
    waiting: int = 0
    is_crowded: bool = False


class PendingAnswers:
    """Which message is about to change by the answer to a press."""

    def __init__(self) -> None:
        self._pressed: dict[MessageRef, _Pressed] = {}

    def expect(self, message: MessageRef, slot: MessageSlot, queue: ChatQueue) -> None:
        """A press on this message will be answered; its chat's queue begins no edit of it before."""
        queue.hold(slot)
        pressed = self._pressed.setdefault(message, _Pressed(slot, queue))
        pressed.waiting += 1
        pressed.is_crowded |= pressed.waiting > 1

    def begin(self, message: MessageRef) -> None:
        """The answer to a press on this message is sent now, perhaps while an edit of it is under way."""
        if pressed := self._pressed.get(message):
            pressed.is_crowded |= pressed.queue.writing == pressed.slot

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
