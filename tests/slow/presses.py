"""Presses a button of the page thousands of times while the table changes all the time.

    python -m tests.slow.presses --presses 10000

The first press that is lost, or heard twice, ends the run with an error.
"""

import asyncio
import time
from argparse import ArgumentParser
from dataclasses import replace

from tests.adapters.page.presses import press_while_everything_changes
from tests.adapters.web.site import web_site
from tests.wire.browser import DESKTOP, Browser
from tests.wire.chromium import Chromium

CALM = replace(DESKTOP, is_calm=True)  # without cards that fly the table changes three times as often
BATCH_SIZE = 500  # presses of one guest; each has their own table


async def press(total: int) -> None:
    """Presses this often in all and prints the progress."""
    chromium = Chromium()
    started = time.monotonic()
    done = 0

    try:
        while done < total:
            presses = min(BATCH_SIZE, total - done)
            async with web_site() as site, Browser(chromium) as browser:
                await press_while_everything_changes(site, browser, presses, CALM)

            done += presses
            print(f"{done} of {total} presses, none lost, {time.monotonic() - started:.0f} s", flush=True)
    finally:
        await chromium.stop()


def main() -> None:
    """Presses as often as the command line asks for."""
    parser = ArgumentParser(prog="python -m tests.slow.presses", description=__doc__.splitlines()[0])
    parser.add_argument("--presses", type=int, default=10_000, help="how many presses")
    asyncio.run(press(parser.parse_args().presses))


if __name__ == "__main__":
    main()
