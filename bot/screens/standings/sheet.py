"""The tallies as a file, for other programs."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from enum import StrEnum, auto

from adapters.port import Document, UserRef
from bot.model.standings import Rating, Standing

COLUMNS = (
    "platform",
    "id",
    "name",
    "games",
    "fools",
    "rate",
    "expected",
    "index",
    "rating",
    "first_out",
    "draws",
    "epaulettes",
    "points",
)

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How a cell begins that a spreadsheet would compute."""


class SheetForm(StrEnum):
    """What kind of file it is."""

    CSV = auto()
    JSON = auto()


def sheet(
    standings: Sequence[Standing], ratings: Mapping[UserRef, Rating], form: SheetForm, title: str
) -> Document:
    """Write everybody's numbers into a file; its columns keep their names in every language."""
    rows = [_row(standing, ratings.get(standing.user)) for standing in standings]
    text = _csv(rows) if form is SheetForm.CSV else json.dumps(rows, ensure_ascii=False, indent=2) + "\n"
    return Document(f"{title}.{form}", text.encode())


def _row(standing: Standing, rating: Rating | None) -> dict[str, str | int | float | None]:
    return dict(
        zip(
            COLUMNS,
            (
                standing.user.platform,
                standing.user.id,
                standing.name,
                standing.games,
                standing.fools,
                round(standing.rate, 4),
                round(standing.expected, 4),
                round(standing.index, 4),
                None if rating is None else round(rating.points, 4),
                standing.first_out,
                standing.draws,
                standing.epaulettes,
                standing.points,
            ),
            strict=True,
        )
    )


def _csv(rows: Sequence[Mapping[str, str | int | float | None]]) -> str:
    file = io.StringIO()
    writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: _harmless(value) for name, value in row.items()})
    return file.getvalue()


def _harmless(value: str | float | None) -> str | float | None:
    """Keep a stranger's name from being a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
