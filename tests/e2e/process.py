"""The bot as its owner runs it: `python -m bot`, with an environment and a database in a folder."""

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
    """One bot, which can be stopped or killed, and started again on its database."""

    def __init__(
        self,
        folder: Path,
        settings: Mapping[str, str],
        *,
        is_forked: bool = True,
        program: str = "bot",
    ) -> None:
        """Prepares a bot without starting it.

        Args:
            folder: The folder that it runs in.
            settings: The variables of its environment.
            is_forked: Fork it, with imports and database made; False: start it as an owner does.
            program: The module to run, if it is not forked.
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
        """The number of the running process."""
        return self._runs[-1].pid

    @property
    def exit_code(self) -> int | None:
        """The exit code of the last run, or None while it runs."""
        return self._runs[-1].returncode

    @property
    def output(self) -> str:
        """The output of all runs."""
        return "".join(file.read_text() for file in sorted(self.folder.glob("*.txt")))

    async def start(self, *, out: int | None = None, err: int | None = None) -> None:
        """Starts the bot, and waits until its chats are connected.

        Args:
            out: The descriptor of its standard output; None: a file, from which the address is read.
            err: The same for its standard error.
        """
        number = len(self._runs)
        with (
            (self.folder / f"{number}-out.txt").open("wb") as said,
            (self.folder / f"{number}-err.txt").open("wb") as log,
        ):
            output = said.fileno() if out is None else out
            errors = log.fileno() if err is None else err
            process = await self._process(out=output, err=errors)

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
        """Kills the bot, as a crash does; it may have ended already."""
        with suppress(ProcessLookupError):
            self._runs[-1].send_signal(signal.SIGKILL)

    async def stop(self) -> int:
        """Stops the bot within the ten seconds that Docker allows, and returns its exit code."""
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
