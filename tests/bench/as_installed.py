"""The bot with the libraries that an owner installs, where development tools bring structlog `rich`."""

import runpy
import sys

if __name__ == "__main__":
    sys.modules["rich"] = None  # type: ignore[assignment] # to import it fails
    runpy.run_module("bot", run_name="__main__", alter_sys=True)
