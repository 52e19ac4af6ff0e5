"""A new step is sealed once databases with rows have taken it, and never again."""

import shutil
from pathlib import Path

import pytest
from sqlalchemy.exc import DBAPIError

from bot.storage import DatabaseUnusableError
from bot.storage.migrations import newest_step
from tests.bot.storage import seal

pytestmark = pytest.mark.slow

STEP = '''"""A step of a test."""

from alembic import op

revision = "9999"
down_revision = "{before}"


def upgrade() -> None:
    """Adds a column."""
    op.execute("ALTER TABLE bet ADD COLUMN mood VARCHAR NOT NULL {default}")
'''


@pytest.fixture
def seals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Gives a copy of the seals, to add to."""
    copy = tmp_path / seal.FILE.name
    shutil.copy(seal.FILE, copy)
    monkeypatch.setattr(seal, "FILE", copy)
    return copy


def add_step_of_test(next_version: Path, default: str) -> None:
    step = STEP.format(before=newest_step(), default=default)
    (next_version / "versions" / "9999_test.py").write_text(step)


def test_a_step_that_a_full_database_cannot_take_is_not_sealed(next_version: Path, seals: Path) -> None:
    before = seals.read_text()
    add_step_of_test(next_version, default="")

    with pytest.raises(DBAPIError):
        seal.seal()

    assert seals.read_text() == before
    assert seal.new_steps() == ["9999"]


def test_a_step_that_the_models_do_not_follow_is_not_sealed(next_version: Path, seals: Path) -> None:
    before = seals.read_text()
    add_step_of_test(next_version, default="DEFAULT ''")

    with pytest.raises(DatabaseUnusableError, match=r"an unknown column bet\.mood"):
        seal.seal()

    assert seals.read_text() == before


def test_a_step_that_was_tried_is_sealed_and_others_stay_as_they_are(next_version: Path, seals: Path) -> None:
    before = seals.read_text()
    step = next_version / "versions" / "9999_test.py"
    step.write_text(STEP.format(before=newest_step(), default="").replace("op.execute(", "str("))

    seal.seal()
    assert seals.read_text() == f"{before}{seal.digest(step)}  9999_test.py\n"
    assert seal.new_steps() == []

    step.write_text(step.read_text() + "\n")
    seal.seal()
    assert seals.read_text().count("9999_test.py") == 1
