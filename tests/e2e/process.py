"""The bot as its owner runs it: `python -m bot`, settings in the environment, a database in a folder."""

import asyncio
import re
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import aiohttp

from tests.e2e.prefork import Order
from tests.e2e.start import Run, environment, prefork

READY_WITHIN = 90.0  # seconds, on a machine that is busy with much else
DEFAULTS = {"DURAK_HTTP_PORT": "0", "DURAK_PACE": "0", "DURAK_LOG_LEVEL": "debug"}


class BotProcess:
    """One bot; it can be stopped or killed, and started again on what it left on disk."""

    def __init__(
        self,
        folder: Path,
        settings: Mapping[str, str],
        *,
        is_forked: bool = True,
        program: str = "bot",
    ) -> None:
        """Starts nothing yet.

        Args:
            folder: Where it runs.
            settings: What its environment says.
            is_forked: Start it with everything imported and its database made; False: all as an owner does.
            program: The module that is run, where it is not forked.
        """
        self.folder = folder
        self.settings = dict(settings)
        self.address = ""
        self._is_forked = is_forked
        self._program = program
        self._runs: list[asyncio.subprocess.Process | Run] = []

    @property
    def database(self) -> Path:
        return self.folder / "durak.db"

    @property
    def pid(self) -> int:
        """The number of the process that runs."""
        return self._runs[-1].pid

    @property
    def exit_code(self) -> int | None:
        """The exit code of the last run, or None while it runs."""
        return self._runs[-1].returncode

    @property
    def output(self) -> str:
        """Everything all runs have printed."""
        return "".join(file.read_text() for file in sorted(self.folder.glob("*.txt")))

    async def start(self, *, out: int | None = None, err: int | None = None) -> None:
        """Starts it and wait until its chats are connected.

        Args:
            out: Where its standard output goes; None: to a file. Else it starts where it was before.
            err: The same for its standard error.
        """
        number = len(self._runs)
        with (
            (self.folder / f"{number}-out.txt").open("wb") as said,
            (self.folder / f"{number}-err.txt").open("wb") as log,
        ):
            process = await self._process(
                out=said.fileno() if out is None else out, err=log.fileno() if err is None else err
            )

        self._runs.append(process)
        try:
            async with asyncio.timeout(READY_WITHIN):
                if out is None:
                    self.address = await self._announced(number, process)
                await self._until_ready(process)
        except BaseException:
            self.kill()
            raise

        self.settings["DURAK_HTTP_PORT"] = self.address.rpartition(":")[2].rstrip("/")

    def kill(self) -> None:
        """Ends it as a crash would; it may lie dead already."""
        with suppress(ProcessLookupError):
            self._runs[-1].send_signal(signal.SIGKILL)

    async def stop(self) -> int:
        """Ends it politely; gives the exit code. Docker would kill it after ten seconds."""
        if self._runs[-1].returncode is None:
            self._runs[-1].terminate()
        async with asyncio.timeout(10):
            return await self._runs[-1].wait()

    async def restart_after_a_crash(self) -> None:
        self.kill()
        await self._runs[-1].wait()
        await self.start()

    async def _process(self, *, out: int, err: int) -> asyncio.subprocess.Process | Run:
        given = environment(DEFAULTS | self.settings)
        if not self._is_forked:
            return await asyncio.create_subprocess_exec(
                sys.executable, "-m", self._program, cwd=self.folder, env=given, stdout=out, stderr=err
            )

        forks = await prefork()
        if not self._runs and not self.database.exists():
            forks.copy_database(self.database)

        return forks.start(Order(str(self.folder), (), given), out=out, err=err)

    async def _announced(self, number: int, process: asyncio.subprocess.Process | Run) -> str:
        out = self.folder / f"{number}-out.txt"
        while True:
            if found := re.search(r"http://\S+", out.read_text()):
                return found[0]
            assert process.returncode is None, self.output
            await asyncio.sleep(0.02)

    async def _until_ready(self, process: asyncio.subprocess.Process | Run) -> None:
        async with aiohttp.ClientSession() as session:
            while True:
                with suppress(aiohttp.ClientConnectionError):
                    async with session.get(f"{self.address}readyz") as response:
                        if response.status == 200:
                            return

                assert process.returncode is None, self.output
                await asyncio.sleep(0.02)
