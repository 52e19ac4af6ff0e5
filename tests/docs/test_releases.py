"""A release has one version, the notes of its section in CHANGELOG.md, and every translation."""

import re
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
PACKAGES = ("bot", "adapters")

CHANGE = "- A change for this test."
NEW_SENTENCE = "A sentence for this test"
EMPTY = re.compile(r"[a-z]+(?: \(.*\))?:")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Returns a copy of the project in which one change is unreleased."""
    (tmp_path / ".ci").mkdir()
    for file in FILES:
        shutil.copy(ROOT / file, tmp_path / file)
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))

    (tmp_path / ".venv").symlink_to(sys.prefix)
    changes = tmp_path / "CHANGELOG.md"
    changes.write_text(changes.read_text().replace("## [Unreleased]", f"## [Unreleased]\n\n{CHANGE}", 1))
    return tmp_path


def run(project: Path, *command: str, succeeds: bool = True) -> subprocess.CompletedProcess[str]:
    ended = subprocess.run(
        [sys.executable, *command], cwd=project, capture_output=True, text=True, check=False
    )
    assert (ended.returncode == 0) is succeeds, ended.stderr
    return ended


def release(project: Path, *words: str) -> str:
    return run(project, str(project / RELEASE), *words).stdout.strip()


def say_something_new(project: Path) -> None:
    (project / "bot/saying.py").write_text(f'SENTENCE = gettext_noop("{NEW_SENTENCE}")\n')


def translate(project: Path) -> None:
    """Fills in every translation that is missing, with the English."""
    lines = []
    english = ""
    for line in run(project, "-m", "bot.locale", "missing", succeeds=False).stdout.splitlines():
        english = line.removeprefix("en: ") if line.startswith("en: ") else english
        lines.append(f"{line} {english}" if EMPTY.fullmatch(line) else line)

    (project / "filled.txt").write_text("\n".join(lines))
    run(project, "-m", "bot.locale", "fill", "filled.txt")


def test_the_notes_of_a_release_are_its_part_of_the_changelog() -> None:
    notes = release(ROOT, "notes", "0.2.0")
    assert notes
    assert "## [" not in notes
    assert notes in (ROOT / "CHANGELOG.md").read_text()


@pytest.mark.slow  # it looks for untranslated sentences several times
def test_a_release_is_cut_from_what_is_unreleased_when_all_of_it_is_translated(project: Path) -> None:
    say_something_new(project)
    before = [(project / file).read_text() for file in FILES]
    for refused in (["check"], ["cut", "9.8.7", "2036-01-02"]):
        why = run(project, RELEASE, *refused, succeeds=False).stderr
        assert f"# bot/saying.py\nen: {NEW_SENTENCE}\nru:\n" in why
        assert [(project / file).read_text() for file in FILES] == before

    translate(project)
    release(project, "check")
    release(project, "cut", "9.8.7", "2036-01-02")
    assert release(project, "version") == "9.8.7"
    assert CHANGE in release(project, "notes", "9.8.7")
    assert release(project, "notes", "Unreleased") == ""
    assert "## [Unreleased]\n\n## [9.8.7] - 2036-01-02\n" in (project / "CHANGELOG.md").read_text()


def test_the_packages_of_a_release_are_built_after_the_check() -> None:
    workflow = (ROOT / ".github/workflows/release.yml").read_text()
    assert workflow.index(f"{RELEASE} check") < workflow.index("build_sdist")


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
