"""Every decision is in the index, in its area, and has the form of the others."""

import pytest

from tests.docs.decisions import AREAS, INDEX, Decision, decisions, index, slug
from tests.docs.pages import PAGES

DECISIONS = list(decisions())


def test_the_index_lists_every_decision() -> None:
    assert INDEX.read_text("utf-8") == index()


def test_no_two_decisions_have_one_number() -> None:
    assert [each.number for each in DECISIONS] == list(range(1, len(DECISIONS) + 1))


@pytest.mark.parametrize("decision", DECISIONS, ids=lambda each: each.file[:4])
def test_a_decision_is_found_under_its_title_and_its_area(decision: Decision) -> None:
    assert decision.file == f"{decision.file[:4]}-{slug(decision.title)}.md"
    assert decision.area in AREAS


@pytest.mark.parametrize("decision", DECISIONS, ids=lambda each: each.file[:4])
def test_a_decision_says_what_was_decided_and_why(decision: Decision) -> None:
    assert decision.text.startswith("**Decision.**")
    assert "\n**Why.** " in decision.text


def test_a_decision_is_written_in_a_file_of_its_own() -> None:
    assert "DECISIONS.md" not in PAGES
