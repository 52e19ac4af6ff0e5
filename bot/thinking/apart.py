"""The part of the bot that runs on a worker of a Dask cluster."""

import pickle
import sys
from importlib.metadata import version

PACKAGE = "durak-bot"


def done_apart(task: bytes) -> bytes | None:
    """Returns the pickled result of a pickled task; None after an error, which could contain cards."""
    try:
        return pickle.dumps(pickle.loads(task)())  # the bot's own bytes
    except Exception:  # the bot does the task itself, and reports an error there
        return None


def versions() -> dict[str, str]:
    """Returns the versions that have to be the same on both sides, by name."""
    python = ".".join(map(str, sys.version_info[:2]))
    return {PACKAGE: version(PACKAGE), "distributed": version("distributed"), "Python": python}
