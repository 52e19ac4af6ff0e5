"""A landed step must not change: databases have gone through it, and do not go through it again."""

from pathlib import Path

import pytest

from bot.storage.migrations import known_steps
from tests.bot.storage.seal import FILE, digest, sealed, step_files


@pytest.mark.parametrize("step", step_files(), ids=lambda step: step.name)
def test_a_step_is_what_databases_have_gone_through(step: Path) -> None:
    seal = sealed().get(step.name)

    assert seal is not None, (
        f"{step.name} is new: once it is done, `python -m tests.regenerate steps` tries it on full tables "
        f"and adds it to {FILE.name}."
    )
    assert seal == digest(step), (
        f"{step.name} was changed after databases had gone through it: put it back, and write a new one."
    )


def test_no_step_that_databases_have_gone_through_is_gone() -> None:
    assert sorted(name.partition("_")[0] for name in sealed()) == known_steps()
