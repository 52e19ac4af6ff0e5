"""Misfortunes a test orders: refusals, slow answers, dropped connections."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.wire.discord.errors import Refusal


@dataclass
class Fault:
    """What goes wrong with the next requests of a kind.

    Attributes:
        path: The path with placeholders, such as `/channels/{channel_id}/messages`; None: any.
        refusal: Refuse with this.
        delay: Answer this many seconds late.
        hang_up: Close the connection instead of answering: before the request is carried out, or after it.
        silence: Seconds for which a request that was carried out is not answered.
        says: What the body of the request holds.
        page: Answer with an HTML page of this status, as a proxy or Cloudflare does, carrying out nothing.
        spoils: Changes the right answer, as servers give it that are not Discord's own.
    """

    method: str | None = None
    path: str | None = None
    refusal: Refusal | None = None
    delay: float = 0.0
    hang_up: str = ""
    silence: float = 0.0
    times: int = 1
    says: bytes = b""
    page: int = 0
    spoils: Callable[[Any], object] | None = None


@dataclass
class Faults:
    """The misfortunes that wait."""

    waiting: list[Fault] = field(default_factory=list)

    def add(self, fault: Fault) -> None:
        self.waiting.append(fault)

    def take(self, method: str, path: str, raw: bytes) -> Fault | None:
        """The fault of this request, if any."""
        for fault in self.waiting:
            if fault.method in {None, method} and fault.path in {None, path} and fault.says in raw:
                fault.times -= 1
                if fault.times == 0:
                    self.waiting.remove(fault)
                return fault
        return None
