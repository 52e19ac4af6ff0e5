"""WebKit, driven by Playwright over WebDriver BiDi.

WebKit does not speak BiDi yet, but its inspector can do all that a test needs. So Playwright starts
`tests.wire.webkit.bidi` in the place of a Firefox: a MiniBrowser for each of Playwright's contexts, and a
translation between the two.
"""

import shlex
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.async_api import Browser as Engine
from playwright.async_api import BrowserContext, Playwright

from tests.wire.browser_program import BrowserProgram, Device
from tests.wire.webkit import bidi
from tests.wire.webkit.inspector import mini_browser
from tests.wire.webkit.page import CALM, FINGER, WISHES


class WebKit(BrowserProgram):
    """WebKit in windows on a screen that nobody sees."""

    name = "webkit"
    package = "apt install libwebkit2gtk-4.1-0 xvfb"

    def is_there(self) -> bool:
        return bool(mini_browser() and shutil.which(bidi.SCREEN_PROGRAM))

    async def context(self, device: Device, *, installs: bool = False) -> BrowserContext:
        wishes = {CALM: device.is_calm, FINGER: device.has_touch}
        wanted = "-".join(wish for wish, is_wanted in wishes.items() if is_wanted)
        locale = f"{device.locale}{WISHES}{wanted}" if wanted else device.locale
        return await super().context(replace(device, locale=locale), installs=installs)

    async def _launched(self, playwright: Playwright) -> Engine:
        stand_in = Path(self._exit.enter_context(TemporaryDirectory())) / "webkit"
        root = shlex.quote(str(Path(bidi.__file__).parents[3]))
        python = shlex.quote(sys.executable)
        stand_in.write_text(f"#!/bin/sh\ncd {root} && exec {python} -m {bidi.__name__}\n")
        stand_in.chmod(0o700)
        return await playwright.firefox.launch(channel="moz-firefox", executable_path=stand_in)
