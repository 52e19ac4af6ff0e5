"""Faults on demand: refusals, slow answers, dropped connections."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.wire.discord.errors import Refusal


@dataclass
class Fault:
    """A fault of the next requests of a kind.

    Attributes:
        path: The path with placeholders, such as `/channels/{channel_id}/messages`; None: any.
        refusal: The refusal to answer with.
        delay: Seconds of delay before the request is carried out.
        hang_up: Close the connection "before" or "after" the request is carried out, without an answer.
        silence: Seconds for which a request that was carried out is not answered.
        says: A part of the bodies that it concerns.
        page: The status of an HTML page in place of the answer, as a proxy or Cloudflare sends it.
        spoils: Damages the right answer, as servers other than Discord's do.
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
    """The faults to come."""

    waiting: list[Fault] = field(default_factory=list)

    def add(self, fault: Fault) -> None:
        self.waiting.append(fault)

    def take(self, method: str, path: str, raw: bytes) -> Fault | None:
        """Returns the fault of this request, if any."""
        for fault in self.waiting:
            if fault.method in {None, method} and fault.path in {None, path} and fault.says in raw:
                fault.times -= 1
                if fault.times == 0:
                    self.waiting.remove(fault)
                return fault
        return None
