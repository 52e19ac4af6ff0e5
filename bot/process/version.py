"""The version of the bot, with the commit it was built from."""

import subprocess
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

PACKAGE = "durak-bot"
COMMIT = files("bot") / "commit.txt"  # `setup.py` writes it into each wheel
CHECKOUT = Path(__file__).parents[2]
SHORT = 12  # letters of a commit


def described_version() -> str:
    """Returns the version as `durak-bot --version` prints it, such as `durak-bot 0.3.0 (1a2b3c4d5e6f)`."""
    return f"{PACKAGE} {version(PACKAGE)} ({commit() or 'unknown commit'})"


def commit() -> str:
    """Returns the short commit of the running wheel or checkout; empty if it is unknown."""
    if COMMIT.is_file():
        return COMMIT.read_text("utf-8").strip()[:SHORT]
    if not (CHECKOUT / ".git").exists():
        return ""

    try:
        process = subprocess.run(
            ["git", "rev-parse", "HEAD"],  # noqa: S607 - whichever git the developer has
            cwd=CHECKOUT,
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return ""

    return process.stdout.strip()[:SHORT]
