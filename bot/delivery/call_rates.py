"""Saves the learned call rates for the next start, and exports them as a metric."""

from collections.abc import Mapping

from adapters.port import CallLimiter, ChatPort
from bot.metrics import CALL_RATE
from bot.storage import CallRateStore

SAVE_SECONDS = 10.0


class CallRates:
    """The call rates of all platforms."""

    def __init__(self, store: CallRateStore, ports: Mapping[str, ChatPort]) -> None:
        self._store = store
        self._ports = ports
        self._saved = dict[str, int]()

    async def restore(self) -> None:
        """Continues with the rates that an earlier process learned."""
        self._saved.update(await self._store.load())
        for platform, port in self._ports.items():
            if platform in self._saved:
                port.calls.restore(self._saved[platform])
            _show(platform, port.calls)

    async def save(self) -> None:
        """Saves the learned rates that have changed, and updates the metric."""
        for platform, port in self._ports.items():
            _show(platform, port.calls)
            rate = port.calls.rate
            if not port.calls.learns or rate is None or rate == self._saved.get(platform):
                continue

            await self._store.save(platform, rate)
            self._saved[platform] = rate


def _show(platform: str, calls: CallLimiter) -> None:
    if calls.rate is not None:
        CALL_RATE.labels(platform).set(calls.rate)
