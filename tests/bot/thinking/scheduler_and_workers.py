"""A Dask scheduler and its workers as their owner starts them, and a proxy that can cut their connections."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, Self

from bot.thinking.thoughts import FULL_BUDGET, Thought
from engine import Move

ROOT = Path(__file__).parents[3]
QUIET = {
    "DASK_DISTRIBUTED__DASHBOARD__LINK": "",
    "DASK_LOGGING__DISTRIBUTED": "error",
    "PYTHONPATH": str(ROOT),
}


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


class Machines:
    """Processes of a cluster on this machine, which end with the block."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []
        self.port = free_port()
        self.protocol = "tcp"

    @property
    def address(self) -> str:
        return f"{self.protocol}://127.0.0.1:{self.port}"

    def start_scheduler(self) -> subprocess.Popen[bytes]:
        where = ("--host", f"{self.protocol}://127.0.0.1", "--port", str(self.port), "--no-dashboard")
        return self._started("distributed.cli.dask_scheduler", *where)

    def start_worker(self, *, threads: int = 1, **environment: str) -> subprocess.Popen[bytes]:
        how = (
            "--host",
            f"{self.protocol}://127.0.0.1",
            "--nthreads",
            str(threads),
            "--no-nanny",
            "--no-dashboard",
            "--local-directory",
            str(self._folder),
        )
        return self._started("distributed.cli.dask_worker", self.address, *how, **environment)

    def _started(self, program: str, *arguments: str, **environment: str) -> subprocess.Popen[bytes]:
        started = subprocess.Popen(
            [sys.executable, "-m", program, *arguments],
            cwd=self._folder,
            env=os.environ | QUIET | environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._processes.append(started)

        return started

    def end(self) -> None:
        for process in self._processes:
            process.kill()
            process.wait()


class Slowly(Thought):
    """A thought that uses no CPU and takes a tenth of a second."""

    def chosen(self, seconds: float = FULL_BUDGET) -> Move:
        time.sleep(0.1)
        return Thought.best_move(self, seconds)


class Stay(NamedTuple):
    """A thought's time at a place of a cluster, in seconds of the clock that a machine's processes share."""

    place: tuple[int, int]  # process and thread
    began: float
    ended: float


def stay_of(thought: Thought) -> Stay:
    """Thinks; returns its place and times."""
    began = time.monotonic()
    thought.best_move()
    return Stay((os.getpid(), threading.get_ident()), began, time.monotonic())


class Proxy:
    """A proxy between a bot and a scheduler, which drops their bytes on demand."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._tasks = set[asyncio.Task[None]]()
        self._writers = list[asyncio.StreamWriter]()
        self.drops = False
        self.port = 0

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()

        for writer in self._writers:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.append(writer)
        try:
            there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self._to)
        except ConnectionError:
            writer.close()
            return

        self._writers.append(there_writer)
        for source, drain in ((reader, there_writer), (there_reader, writer)):
            task = asyncio.create_task(self._pass_on(source, drain))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while found := await reader.read(65536):
                if not self.drops:
                    writer.write(found)
                    await writer.drain()

        writer.close()


def stop(process: subprocess.Popen[bytes]) -> None:
    """Suspends a process."""
    process.send_signal(signal.SIGSTOP)


def go_on(process: subprocess.Popen[bytes]) -> None:
    """Resumes a suspended process."""
    process.send_signal(signal.SIGCONT)
