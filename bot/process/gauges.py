"""The state of the bot as gauges, read when `/metrics` is requested."""

import asyncio
import platform
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from bot.delivery.outbox import Outbox
from bot.process.connections import Connections
from bot.storage import Database
from bot.storage.backups import newest_at
from bot.storage.migrations import newest_step
from bot.tables.loader import TableLoader
from bot.tables.scheduler import Scheduler

PACKAGE = "durak-bot"


@dataclass(frozen=True, slots=True)
class Gauges(Collector):
    """Collects the gauges; `backups` is the folder with backups, if there is one."""

    connections: Connections
    database: Database
    scheduler: Scheduler
    table_loader: TableLoader
    outbox: Outbox
    backups: Path | None

    def collect(self) -> Iterator[Metric]:
        """Yields every gauge with its current value."""
        yield _gauge("durak_database_up", "Whether the database can be used.", self.database.is_up)
        yield from self._of_chats()

        scheduler = self.scheduler
        yield _gauge("durak_tables_waiting", "Games that wait for people.", len(scheduler.waiting_tables))
        yield _gauge(
            "durak_tables_stuck",
            "Games where something is overdue by a minute, or fails again and again.",
            len(scheduler.stuck_tables),
        )
        yield _gauge(
            "durak_tables_damaged", "Games whose record can't be read.", len(self.table_loader.damaged)
        )

        folder = Path() if self.database.file is None else self.database.file.parent
        yield _gauge("durak_disk_free_bytes", "Free space beside the database.", free_bytes(folder))
        if self.backups is not None:
            newest = newest_at(self.backups)
            made_at = 0.0 if newest is None else newest.timestamp()
            meaning = "When the newest backup was made; 0: there is none."
            yield _gauge("durak_backup_last_timestamp_seconds", meaning, made_at)

        yield _info("durak_schema_info", "The step of the database's tables.", {"step": newest_step()})
        build = {"version": version(PACKAGE), "python": platform.python_version()}
        yield _info("durak_build_info", "The version of the bot.", build)

    def _of_chats(self) -> Iterator[Metric]:
        up = GaugeMetricFamily("durak_chat_up", "Whether a chat is connected.", labels=["platform"])
        for chat in self.connections.ready:
            up.add_metric([chat], 1)

        for chat in self.connections.missing:
            up.add_metric([chat], 0)

        yield up

        length = GaugeMetricFamily("durak_queue", "Messages that wait to be sent.", labels=["platform"])
        age = GaugeMetricFamily(
            "durak_queue_oldest_seconds", "For how long the oldest of them waits.", labels=["platform"]
        )
        now = asyncio.get_running_loop().time()
        for chat, times in self.outbox.queued_at().items():
            length.add_metric([chat], len(times))
            age.add_metric([chat], max((now - at for at in times), default=0.0))

        yield length
        yield age


def free_bytes(folder: Path) -> int:
    """Returns the free space of a folder's disk."""
    return shutil.disk_usage(folder).free


def _gauge(name: str, help_text: str, value: float) -> Metric:
    return GaugeMetricFamily(name, help_text, value=float(value))


def _info(name: str, help_text: str, labels: Mapping[str, str]) -> Metric:
    family = GaugeMetricFamily(name, help_text, labels=list(labels))
    family.add_metric(list(labels.values()), 1)
    return family
