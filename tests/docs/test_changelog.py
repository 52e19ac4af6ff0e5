"""CHANGELOG.md keeps its form: versions, newest first, and under each what was added, changed and so on."""

import re
import tomllib

from tests.docs.pages import ROOT, page

GROUPS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
VERSIONS = page("CHANGELOG.md").split("\n## ")[1:]


def test_every_version_has_a_date_and_the_project_is_at_the_newest() -> None:
    unreleased, *released = [version.partition("\n")[0] for version in VERSIONS]
    assert unreleased == "[Unreleased]"
    assert all(re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2}", heading) for heading in released)
    newest = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert released[0].startswith(f"[{newest}] ")


def test_changes_stand_in_groups_of_their_kind() -> None:
    for version in VERSIONS:
        groups = re.findall(r"^### (.*)$", version, re.MULTILINE)
        assert groups == [group for group in GROUPS if group in groups]
        assert all(re.match(r"### \w+\n\n- ", f"### {part}") for part in version.split("### ")[1:])
