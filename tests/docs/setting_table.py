"""The table of settings in docs/rules.md, which follows from the rules and the lobby.

Only what a setting means is written there by hand.
"""

import re
from collections.abc import Mapping

from bot.locale import Translator
from bot.screens.settings import label_of
from engine import DECLARATIONS, PRESETS, SETTINGS, Rules, value_text
from tests.docs.pages import ROOT, anchor_of

FILE = ROOT / "docs" / "rules.md"

_COLUMNS = ("setting", "in the lobby", "values", "default", "what it means", "rule", "presets")
_HEAD = f"| {' | '.join(_COLUMNS)} |\n|{'---|' * len(_COLUMNS)}\n"


def meanings_in(page: str) -> dict[str, str]:
    """Returns what each setting means, as somebody wrote it into the table."""
    _, table, _ = _parts_of(page)
    rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in table.splitlines()]
    return {row[0].strip("`"): row[_COLUMNS.index("what it means")] for row in rows}


def regenerated(page: str) -> str:
    """Returns the page with a row for each setting; a new one does not say yet what it means."""
    before, _, after = _parts_of(page)
    meanings = meanings_in(page)
    chapters = chapters_of(page)
    rows = [_row(setting, meanings.get(setting, ""), chapters) for setting in SETTINGS]
    return "".join([before, *rows, after])


def chapters_of(page: str) -> dict[str, str]:
    """Returns what a link to each chapter names after its `#`, by the chapter's number."""
    headings = re.findall(r"^## (\d+\..*)$", page, re.MULTILINE)
    return {heading.partition(".")[0]: anchor_of(heading) for heading in headings}


def _parts_of(page: str) -> tuple[str, str, str]:
    """Divides the page into the text before the rows of the table, the rows, and the text after them."""
    before, head, rest = page.partition(_HEAD)
    rows, end, after = rest.partition("\n\n")
    return before + head, f"{rows}\n", f"{end[1:]}{after}"


def _row(setting: str, meaning: str, chapters: Mapping[str, str]) -> str:
    label = label_of(setting, Translator("en")).replace("’", "'")  # as one types it
    cells = (
        f"`{setting}`",
        label,
        ", ".join(map(value_text, SETTINGS[setting])),
        value_text(getattr(Rules(), setting)),
        meaning,
        ", ".join(_link_to(rule, chapters) for rule in DECLARATIONS[setting].rule.split(", ")),
        _presets_with(setting),
    )
    return "".join(f"| {cell} " if cell else "| " for cell in cells) + "|\n"


def _link_to(rule: str, chapters: Mapping[str, str]) -> str:
    return f"[{rule}](#{chapters[rule.partition('.')[0]]})"


def _presets_with(setting: str) -> str:
    """Lists the presets that set a setting to another value than the default, by value."""
    presets: dict[str, list[str]] = {}
    for name, rules in PRESETS.items():
        if setting in rules.differences(Rules()):
            presets.setdefault(value_text(getattr(rules, setting)), []).append(f"`{name}`")

    return "; ".join(f"`{value}`: {', '.join(names)}" for value, names in presets.items())
