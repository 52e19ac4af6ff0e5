"""Starts bots without the seconds that imports take: forks them from a process that has imported everything.

    python -m tests.e2e.prefork SOCKET TEMPLATE

A client of SOCKET sends one packet: an `Order` as JSON, and two file descriptors for standard output
and standard error. A first packet with the number of the process comes back, and a second one with its exit
code. A bot whose client goes away is killed. After the fork everything is as after `python -m bot`, to the
end of the interpreter.

TEMPLATE is where an empty database is made that is up to date.
"""

import asyncio
import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass

from bot.app import SCHEMA
from bot.storage import Database

STDIN = 0
LARGEST = 2**17  # bytes of an order; most of them are environment


@dataclass(frozen=True)
class Order:
    """A bot to be started: its folder, its words after `python -m bot`, its environment."""

    folder: str
    words: Sequence[str]
    environment: Mapping[str, str]

    def to_bytes(self) -> bytes:
        return json.dumps(asdict(self)).encode()


def main(address: str, template: str) -> None:
    """Serves until standard input ends; returns only in a process that becomes a bot, once it is set up."""
    for module in ("adapters.discord", "adapters.telegram", "bot.start", "bot.pictures.drawing"):
        importlib.import_module(module)

    asyncio.run(make_database(template))  # which also imports the modules that are imported late
    gc.freeze()  # so that garbage collection doesn't copy the pages that the processes share

    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(f"{address}.bound")
        listener.listen(64)
        os.rename(f"{address}.bound", address)  # the socket appears when it accepts connections

        while True:
            asking, _, _ = select.select([listener.fileno(), STDIN], [], [])
            bury()
            if STDIN in asking:
                os._exit(0)

            connection, _ = listener.accept()
            if os.fork() == 0:
                break

            connection.close()

    with connection:
        fork_a_bot(connection)


async def make_database(file: str) -> None:
    database = Database(f"sqlite+aiosqlite:///{file}", SCHEMA)
    await database.open()
    await database.close()


def bury() -> None:
    """Reaps the guards that have ended."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def fork_a_bot(connection: socket.socket) -> None:
    """Forks, and returns in the bot's process; the present process guards it and ends with it."""
    data, (out, err), _, _ = socket.recv_fds(connection, LARGEST, 2)
    if (pid := os.fork()) != 0:
        guard(pid, connection)

    order = Order(**json.loads(data))
    for standard, place in enumerate((os.open(os.devnull, os.O_RDONLY), out, err)):
        os.dup2(place, standard)
        os.close(place)

    os.chdir(order.folder)
    os.environ.clear()
    os.environ.update(order.environment)
    sys.argv = ["python -m bot", *order.words]


def guard(pid: int, connection: socket.socket) -> None:
    """Reports the number and the exit code of a process, and kills it when the client hangs up."""
    connection.send(str(pid).encode())
    ended = os.pidfd_open(pid)
    ready, _, _ = select.select([ended, connection.fileno()], [], [])
    if ended not in ready:
        os.kill(pid, signal.SIGKILL)

    _, status = os.waitpid(pid, 0)
    with suppress(BrokenPipeError):
        connection.send(str(os.waitstatus_to_exitcode(status)).encode())

    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
    runpy.run_module("bot", run_name="__main__", alter_sys=True)
