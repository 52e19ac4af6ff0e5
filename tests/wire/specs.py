"""The platforms' published API descriptions, which are not part of the repository."""

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest

BESIDE_THE_REPOSITORY = Path(__file__).parents[3] / "shared" / "specs"


@cache
def load_spec(name: str) -> dict[str, Any] | None:
    """Loads a description from the folder `DURAK_SPECS` or beside the repository; None: there is none."""
    path = Path(os.environ.get("DURAK_SPECS", BESIDE_THE_REPOSITORY)) / name
    if not path.is_file():
        return None
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def spec_or_skip(name: str) -> dict[str, Any]:
    """Loads a description, and skips the test that needs it where there is none."""
    spec = load_spec(name)
    if spec is None:
        pytest.skip(f"{name} is not here: set DURAK_SPECS to the folder with the published API descriptions")
    return spec
