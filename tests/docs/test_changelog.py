"""CHANGELOG.md keeps its format: versions, newest first, each with its changes for readers."""

import re
import tomllib

from tests.docs.pages import ROOT, page

READERS = ["For players", "For owners", "For developers"]
KINDS = ["Before you upgrade", "Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
MOST_WORDS = 25
VERSIONS = page("CHANGELOG.md").split("\n## ")[1:]


def test_every_version_has_a_date_and_the_project_is_at_the_newest() -> None:
    unreleased, *released = [version.partition("\n")[0] for version in VERSIONS]
    assert unreleased == "[Unreleased]"
    assert all(re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2}", heading) for heading in released)
    newest = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert released[0].startswith(f"[{newest}] ")


def test_changes_are_grouped_by_who_notices_them_or_by_their_kind() -> None:
    for version in VERSIONS:
        groups = headings(version, "###")
        assert groups in (in_order(groups, READERS), in_order(groups, KINDS))
        kinds = [headings(part, "####") for part in version.split("\n### ")]
        assert all(each == in_order(each, KINDS) for each in kinds)


def test_every_group_is_a_list() -> None:
    for version in VERSIONS:
        groups = re.split(r"^#+ .+\n\n", version, flags=re.MULTILINE)[1:]
        assert all(group.startswith("- ") or not group for group in groups)


def test_every_change_is_one_short_line() -> None:
    changes = [line for line in page("CHANGELOG.md").splitlines() if line.startswith(("- ", "  "))]
    assert not [line for line in changes if line.startswith("  ")]
    assert not [line for line in changes if len(line.split()) - 1 > MOST_WORDS]


def headings(text: str, level: str) -> list[str]:
    return re.findall(rf"^{level} (.*)$", text, re.MULTILINE)


def in_order(groups: list[str], order: list[str]) -> list[str]:
    return [each for each in order if each in groups]
