"""The bot with an owner's libraries: structlog renders without `rich`, which development tools install."""

import runpy
import sys

if __name__ == "__main__":
    sys.modules["rich"] = None  # type: ignore[assignment] # to import it fails
    runpy.run_module("bot", run_name="__main__", alter_sys=True)
