"""Every rule and chapter of docs/rules.md that is cited exists."""

import re

from tests.docs.pages import PAGES, ROOT
from tests.docs.test_rules import NUMBERS, RULES
from tests.engine.rules.golden import SCENARIOS

CITED = re.compile(r"\b[Rr]ules? ((?:\d+\.\d+(?:, | and | to | or )?)+)")
CHAPTERS_CITED = re.compile(r"\b[Cc]hapters? ((?:\d+(?:, | and | to )?)+)")
CODE = [path for room in ("adapters", "bot", "engine", "tests") for path in (ROOT / room).rglob("*.py")]
TEXTS = [*CODE, ROOT / "tests/engine/rules/positions.txt", *(ROOT / name for name in PAGES)]


def rules_cited_in(text: str) -> set[str]:
    return {number for run in CITED.findall(text) for number in re.findall(r"\d+\.\d+", run)}


def chapters_cited_in(text: str) -> set[str]:
    return {number for run in CHAPTERS_CITED.findall(text) for number in re.findall(r"\d+", run)}


def test_a_rule_that_a_text_cites_exists() -> None:
    cited = {str(path.relative_to(ROOT)): rules_cited_in(path.read_text()) for path in TEXTS}
    assert sum(map(len, cited.values())) > 50
    assert not {path: unknown for path, numbers in cited.items() if (unknown := numbers - set(NUMBERS))}


def test_a_chapter_that_a_text_cites_exists() -> None:
    chapters = set(re.findall(r"^## (\d+)\. ", RULES, re.MULTILINE))
    cited = {str(path.relative_to(ROOT)): chapters_cited_in(path.read_text()) for path in TEXTS}
    assert not {path: unknown for path, numbers in cited.items() if (unknown := numbers - chapters)}


def test_the_rules_of_golden_scenarios_exist() -> None:
    assert not {number for scenario in SCENARIOS for number in scenario["rules"]} - set(NUMBERS)


def test_several_numbers_after_one_word_are_all_citations() -> None:
    assert rules_cited_in("see rules 1.2, 3.4 and 5.5 (rule 7.8)") == {"1.2", "3.4", "5.5", "7.8"}
    assert chapters_cited_in("see chapters 1, 2 and 3 (chapter 4)") == {"1", "2", "3", "4"}


def test_every_rule_of_the_game_is_cited_by_a_test() -> None:
    tests = [
        path.read_text() for path in (ROOT / "tests/engine").rglob("*") if path.suffix in {".py", ".txt"}
    ]
    cited = set().union(*map(rules_cited_in, tests), *(scenario["rules"] for scenario in SCENARIOS))
    assert not [
        number for number in NUMBERS if int(number.partition(".")[0]) in range(2, 12) and number not in cited
    ]
