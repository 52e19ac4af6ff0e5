"""The bot as its owner has installed it: without development tools, such as `rich` for structlog."""

import os
import runpy
import sys

INSTALLED = "INSTALLED_BOT"  # the variable with the folder of the installation

if __name__ == "__main__":
    sys.path.insert(0, os.environ.get(INSTALLED, os.curdir))
    sys.modules["rich"] = None  # type: ignore[assignment] # to import it fails
    runpy.run_module("bot", run_name="__main__", alter_sys=True)
