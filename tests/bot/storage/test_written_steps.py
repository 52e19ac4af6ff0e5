"""A generated step can be applied to databases with rows, or is refused."""

import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from bot.app import SCHEMA
from bot.storage import Schema
from bot.storage.migrations import StepRefusedError, add_step, differences, newest_step
from tests.bot.storage.step_trial import make_step, run

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
TABLES = sorted(SCHEMA.models.tables)

# A column of each kind that may not be empty, and what its model has for new rows.
KINDS: dict[str, tuple[sa.types.TypeEngine[Any], object]] = {
    "mood": (sa.String(), "it's calm"),
    "empty": (sa.String(), ""),
    "count": (sa.Integer(), 3),
    "minutes": (sa.Float(), 2.5),
    "is_loud": (sa.Boolean(), False),
    "is_quiet": (sa.Boolean(), True),
    "content": (sa.JSON(), {"a": 1}),
}


def models_of_today() -> sa.MetaData:
    """Copies the models, so that a test can add to them."""
    models = sa.MetaData(naming_convention=SCHEMA.models.naming_convention)
    for table in SCHEMA.tables:
        table.to_metadata(models)
    return models


def checked(step: Path, *words: str) -> None:
    """Runs a tool of development on a step."""
    subprocess.run([sys.executable, "-m", *words, step], check=True, cwd=ROOT)


def test_a_column_that_may_not_be_empty_is_refused_without_a_default_in_every_table(
    next_version: Path,
) -> None:
    models = models_of_today()
    for table in models.tables.values():
        table.append_column(sa.Column("mood", sa.String(), nullable=False))

    before = set(next_version.rglob("*.py"))
    with pytest.raises(StepRefusedError) as refusal:
        add_step("add a mood", Schema(models.sorted_tables))

    sentences = sorted(str(refusal.value).splitlines())
    assert [sentence.partition(" would be NOT NULL without a default")[0] for sentence in sentences] == [
        f"{table}.mood" for table in TABLES
    ]
    assert all("Give the field a default in its model" in sentence for sentence in sentences)
    assert set(next_version.rglob("*.py")) == before


async def test_defaults_of_the_models_are_given_to_the_rows_of_every_table(
    bare_url: str, next_version: Path
) -> None:
    models = models_of_today()
    for name, (kind, default) in KINDS.items():
        tables = models.tables.values() if name == "mood" else [models.tables["bet"]]
        for table in tables:
            table.append_column(sa.Column(name, kind, default=default, nullable=False))

    await run(bare_url, partial(make_step, step=newest_step()))
    add_step("add moods", Schema(models.sorted_tables))
    await run(bare_url, partial(make_step, step=newest_step()))

    assert await run(bare_url, partial(differences, schema=Schema(models.sorted_tables))) == []
    assert await run(bare_url, partial(_values, models.tables["bet"])) == [
        default for _, default in KINDS.values()
    ]


def _values(table: sa.Table, connection: sa.Connection) -> list[object]:
    """Returns what the new columns of a table have in a row that was there before."""
    query = sa.select(*(table.c[name] for name in KINDS)).limit(1)
    return list(connection.execute(query).one())


def test_a_key_is_changed_by_hand(next_version: Path) -> None:
    models = models_of_today()
    models.tables["bet"].append_column(
        sa.Column("round", sa.Integer(), primary_key=True, default=0, autoincrement=False)
    )
    with pytest.raises(StepRefusedError, match=r"bet\.round would change the key"):
        add_step("bet on rounds", Schema(models.sorted_tables))


def test_a_column_with_empty_rows_is_filled_by_hand_before_it_may_not_be_empty(next_version: Path) -> None:
    models = models_of_today()
    models.tables["cup"].c.house_rules.nullable = False
    with pytest.raises(StepRefusedError, match=r"cup\.house_rules would become NOT NULL"):
        add_step("want house rules", Schema(models.sorted_tables))


def test_a_written_step_is_formatted_and_typed_like_all_code(next_version: Path) -> None:
    models = models_of_today()
    models.tables["bet"].append_column(sa.Column("mood", sa.String(), default="calm", nullable=False))
    models.remove(models.tables["replay_link"])
    sa.Table(
        "mood",
        models,
        sa.Column("player_id", sa.BigInteger(), sa.ForeignKey("player.id"), primary_key=True),
        sa.Column("name", sa.String(), nullable=False, index=True),
    )
    step = add_step("add moods and take a table away", Schema(models.sorted_tables))

    style = ("--config", str(ROOT / "pyproject.toml"))
    checked(step, "ruff", "check", *style)
    checked(step, "ruff", "format", "--check", *style)
    checked(step, "mypy", "--strict", "--config-file", str(ROOT / "pyproject.toml"))
    assert "###" not in step.read_text()
