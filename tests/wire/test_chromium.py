"""Which Chromium the tests of the page find."""

from pathlib import Path

import pytest

from tests.wire.chromium import PROGRAMS, WHOLE, BlockingChromium, Chromium


@pytest.mark.parametrize(
    ("installed", "name"),
    [(PROGRAMS, "chromium"), ((WHOLE,), BlockingChromium.name), ((), "chromium")],
)
def test_a_whole_chromium_alone_counts_as_the_one_that_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, installed: tuple[str, ...], name: str
) -> None:
    for program in installed:
        (tmp_path / program).touch(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))

    assert Chromium().name == name
