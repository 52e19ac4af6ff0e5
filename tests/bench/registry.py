"""All rows of the table of costs, in the order of the table."""

from tests.bench import presses
from tests.bench.rows import AtMost, Row

ROWS = (
    Row(
        name="statements",
        title="SQL statements, `BEGIN IMMEDIATE` and commits of a press, 1 table of 4 people",
        before="46, 16.6, 5.5",
        goals=(AtMost(10), AtMost(2), AtMost(2)),
        measure=presses.statements_of_a_press,
    ),
)
