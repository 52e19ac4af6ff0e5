"""A release has one version, and the notes of its section in CHANGELOG.md."""

import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from bot.process.version import commit, described_version

ROOT = Path(__file__).parents[2]
RELEASE = ".ci/release"
FILES = ("pyproject.toml", "CHANGELOG.md", RELEASE)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / ".ci").mkdir()
    for file in FILES:
        shutil.copy(ROOT / file, tmp_path / file)
    return tmp_path


def release(project: Path, *words: str) -> str:
    command = [sys.executable, str(project / RELEASE), *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def test_the_notes_of_a_release_are_its_part_of_the_changelog() -> None:
    notes = release(ROOT, "notes", "0.2.0")
    assert notes
    assert "## [" not in notes
    assert notes in (ROOT / "CHANGELOG.md").read_text()


def test_a_release_is_cut_from_what_is_unreleased(project: Path) -> None:
    changes = project / "CHANGELOG.md"
    line = "- A change for this test."
    changes.write_text(changes.read_text().replace("## [Unreleased]", f"## [Unreleased]\n\n{line}", 1))

    release(project, "cut", "9.8.7", "2036-01-02")
    assert release(project, "version") == "9.8.7"
    assert line in release(project, "notes", "9.8.7")
    assert release(project, "notes", "Unreleased") == ""
    assert "## [Unreleased]\n\n## [9.8.7] - 2036-01-02\n" in changes.read_text()


def test_the_version_is_told_with_its_commit() -> None:
    asked = subprocess.run(
        [sys.executable, "-m", "bot", "--version"], capture_output=True, text=True, check=True
    )
    assert asked.stdout.strip() == described_version()
    assert described_version().startswith(f"durak-bot {version('durak-bot')} (")
    assert len(commit()) in {0, 12}


def test_a_clone_that_git_refuses_to_read_is_installed_without_its_commit(tmp_path: Path) -> None:
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot/__init__.py").touch()
    (tmp_path / "setup.cfg").write_text("[options]\npackages = bot\n")
    (tmp_path / ".git").touch()  # as unreadable to git as a clone of another user
    shutil.copy(ROOT / "setup.py", tmp_path)

    build = [sys.executable, "setup.py", "--quiet", "build_py", "--build-lib", "built"]
    subprocess.run(build, cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / "built/bot/commit.txt").read_text() == ""
