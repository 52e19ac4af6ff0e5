"""A landed step stays as it is: databases have gone through it, and none goes through it again."""

from hashlib import sha256
from pathlib import Path

import pytest

from bot.storage.migrations import HOME, known_steps

DIGESTS = Path(__file__).with_name("steps.sha256")  # as `sha256sum` writes and checks them
STEPS = sorted((HOME / "versions").glob("[0-9]*.py"))


def digests() -> dict[str, str]:
    lines = DIGESTS.read_text().splitlines()
    return {name: digest for digest, name in (line.split() for line in lines)}


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_a_step_is_what_databases_have_gone_through(step: Path) -> None:
    digest = sha256(step.read_bytes()).hexdigest()
    landed = digests().get(step.name)

    assert landed is not None, (
        f"{step.name} is new: once it is done, add the line `{digest}  {step.name}` to {DIGESTS.name}."
    )
    assert digest == landed, (
        f"{step.name} was changed after databases had gone through it: put it back, and write a new one."
    )


def test_no_step_that_databases_have_gone_through_is_gone() -> None:
    assert sorted(name.partition("_")[0] for name in digests()) == known_steps()
