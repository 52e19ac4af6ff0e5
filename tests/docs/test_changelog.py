"""CHANGELOG.md keeps its form: versions, newest first, and under each its changes for readers."""

import re
import tomllib

from tests.docs.pages import ROOT, page

READERS = ["For players", "For owners", "For developers"]
KINDS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
VERSIONS = page("CHANGELOG.md").split("\n## ")[1:]


def test_every_version_has_a_date_and_the_project_is_at_the_newest() -> None:
    unreleased, *released = [version.partition("\n")[0] for version in VERSIONS]
    assert unreleased == "[Unreleased]"
    assert all(re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2}", heading) for heading in released)
    newest = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert released[0].startswith(f"[{newest}] ")


def test_changes_stand_under_who_notices_them_or_under_their_kind() -> None:
    for version in VERSIONS:
        groups = re.findall(r"^### (.*)$", version, re.MULTILINE)
        assert groups in ([each for each in order if each in groups] for order in (READERS, KINDS))
        assert all(re.match(r"### [\w ]+\n\n- ", f"### {part}") for part in version.split("### ")[1:])
