"""Ways to start `python -m bot`: as an owner does, or forked from a process with everything imported."""

import asyncio
import atexit
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path

from tests.e2e.prefork import Order

ROOT = Path(__file__).parents[2]
PAUSE = 0.02
IMPORTED_WITHIN = 60.0


class Run:
    """A forked bot, with the interface of `asyncio.subprocess.Process`, as far as it is used."""

    def __init__(self, connection: socket.socket) -> None:
        """Takes over a connection, and waits for the number of the process."""
        self._connection = connection
        self.pid = int(connection.recv(100))
        self._exit_code: int | None = None
        connection.setblocking(False)

    def __del__(self) -> None:
        self._connection.close()  # which ends the bot if it still runs

    @property
    def returncode(self) -> int | None:
        """The exit code, negative for a signal, or None while it runs."""
        if self._exit_code is None:
            with suppress(BlockingIOError):
                self._exit_code = int(self._connection.recv(100))
                self._connection.close()
        return self._exit_code

    def send_signal(self, number: int) -> None:
        if self.returncode is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    async def wait(self) -> int:
        while (code := self.returncode) is None:
            await asyncio.sleep(PAUSE)
        return code


class Prefork:
    """The process that bots are forked from; one for each process of the tests."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="durak"))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.e2e.prefork", self._socket, self._template],
            cwd=ROOT,
            env={name: value for name, value in os.environ.items() if not name.startswith("DURAK_")},
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
        )
        atexit.register(self.stop)

    @property
    def _template(self) -> Path:
        return self._folder / "template.db"

    @property
    def _socket(self) -> Path:
        return self._folder / "socket"

    async def ready(self) -> None:
        """Waits until the process has imported everything."""
        async with asyncio.timeout(IMPORTED_WITHIN):
            while not self._socket.exists():
                assert self._process.poll() is None, "it could not import the bot"
                await asyncio.sleep(PAUSE)

    def copy_database(self, file: Path) -> None:
        """Copies the empty database that is up to date."""
        shutil.copy(self._template, file)

    def start(self, order: Order, *, out: int, err: int) -> Run:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        connection.connect(str(self._socket))
        socket.send_fds(connection, [order.to_bytes()], [out, err])
        return Run(connection)

    def stop(self) -> None:
        self._process.communicate()
        shutil.rmtree(self._folder)


_prefork = cache(Prefork)


async def prefork() -> Prefork:
    """Returns the process that bots are forked from, and starts it at the first need."""
    await _prefork().ready()
    return _prefork()


def environment(settings: Mapping[str, str]) -> dict[str, str]:
    """Returns the environment of a bot: our own, with these settings and no others."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("DURAK_")}
    return inherited | {"PYTHONPATH": str(ROOT)} | dict(settings)


async def output_of(folder: Path, *words: str, **settings: str) -> tuple[int, str]:
    """Runs a bot to its end, and returns its exit code and its output."""
    output = folder / "output.txt"
    with output.open("wb") as file:
        run = (await prefork()).start(
            Order(str(folder), words, environment({"DURAK_HTTP_PORT": "0"} | settings)),
            out=file.fileno(),
            err=file.fileno(),
        )
        async with asyncio.timeout(20):
            code = await run.wait()

    return code, output.read_text().strip()
