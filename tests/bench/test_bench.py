"""The table of costs in docs/benchmarks.md matches the rows of `python -m tests.bench`."""

import asyncio
from dataclasses import replace

import pytest

from engine import PRESETS, HousePlayer, Opening
from engine.players import Regular
from tests.bench import report
from tests.bench.limits import OnDiscord
from tests.bench.matches import play
from tests.bench.registry import ROWS
from tests.bench.rivals import EarlyTaker, Greedy, NeverTakes, Searcher, TreeSearch
from tests.bench.rows import AtLeast, AtMost, Measured, MissingRivalError, Row, amount
from tests.bench.telegram import costs_of_echoes
from tests.wire.discord import DiscordServer
from tests.wire.discord.server import API
from tests.wire.discord.state import Request

QUICK_SEARCHER = Searcher(1, guesses=1, depth=1)
QUICK_TREE = TreeSearch(1, guesses=1, playouts=5)

SPEED = Row(
    name="speed",
    title="Moves per second",
    before="0.18x",
    goals=(AtLeast(0.8, "x"), AtMost(10, "ms")),
    measure=lambda _is_quick: Measured((1.0, 12.5), "a rival: 20 ms"),
    why_missed="Drawing takes half of it.",
    figures=("alone", "with pictures"),
)
GROUPS = {"Speed": (SPEED,)}
PAGE = f"""# Costs

{report.BEGIN}
{report.HEAD}
| old | ≥ 1x | 2x |  |  |

Some day.
{report.END}

More.
"""


def test_every_row_is_in_the_table_and_in_this_order() -> None:
    assert report.names(report.FILE.read_text()) == [report.first_name(row) for row in ROWS]


def test_the_page_begins_with_every_figure_that_misses_its_goal() -> None:
    page = report.FILE.read_text()
    before, costs = page.split(report.BEGIN)
    listed = before.partition("| missed |")[2].partition("\n\n")[0].splitlines()[2:]
    missed = [line for line in costs.partition(report.END)[0].splitlines() if ": missed |" in line]

    assert sorted(line.split(" | ")[2] for line in listed) == sorted(line.split(" | ")[2] for line in missed)


def test_every_figure_of_a_row_has_a_name() -> None:
    assert all(len(row.figures) in {0, len(row.goals)} for row in ROWS)
    assert not [row.name for row in ROWS if len(row.goals) > 1 and not row.figures]


def test_no_two_rows_have_one_name() -> None:
    assert len({row.name for row in ROWS}) == len(ROWS)


def test_a_goal_that_is_missed_says_why() -> None:
    assert report.entry(SPEED, Measured((1.0, 12.5), "a rival: 20 ms")) == report.Entry(
        [
            "| Moves per second: alone | ≥ 0.8x | 1x | 0.18x | a rival: 20 ms |",
            "| … with pictures | ≤ 10 ms: missed | 12.5 ms |  |  |",
        ],
        "- **Moves per second.** Drawing takes half of it.",
    )


def test_a_row_whose_goals_are_all_reached_has_no_note() -> None:
    reached = report.entry(SPEED, Measured((0.8, 10.0)))
    assert reached.lines[0] == "| Moves per second: alone | ≥ 0.8x | 0.80x | 0.18x |  |"
    assert not reached.note


def test_figures_that_find_no_room_in_the_table_are_below_it() -> None:
    crowded = report.entry(SPEED, Measured((0.8, 10.0), "each of the rivals: " + "20 ms, " * 10 + "and 3 ms"))
    assert crowded.lines[0].endswith("| see below |")
    assert crowded.note.startswith("- **Moves per second.** Each of the rivals: 20 ms, ")


def test_a_table_of_further_figures_is_below_the_note_and_stays() -> None:
    table = [["tables", "CPU"], ["4", "7 ms"], ["40", "8 ms"]]
    tabled = report.entry(SPEED, Measured((0.8, 10.0), "a rival: 20 ms", table))
    assert tabled.lines[0].endswith("| see below |")
    assert tabled.note.splitlines() == [
        "- **Moves per second.** A rival: 20 ms.",
        "",
        "  | tables | CPU |",
        "  | --- | --- |",
        "  | 4 | 7 ms |",
        "  | 40 | 8 ms |",
    ]
    page = report.rewritten(PAGE, GROUPS, {"speed": tabled}, "Today.")
    assert report.rewritten(page, GROUPS, {}, "Today.") == page


def test_a_row_without_goals_only_tells() -> None:
    row = replace(SPEED, goals=(), figures=())
    assert report.entry(row, Measured((), "5 calls")).lines == [
        "| Moves per second |  | 5 calls | 0.18x |  |"
    ]


def test_a_rival_that_is_not_installed_is_named() -> None:
    assert "| a rival is not installed |" in report.entry(SPEED, MissingRivalError("a rival")).lines[0]


def test_a_new_table_takes_the_place_of_the_old_one_and_of_nothing_else() -> None:
    entry = report.Entry(["| Moves per second: alone | new |"], "- why")
    page = report.rewritten(PAGE, GROUPS, {"speed": entry}, "On.")
    assert page.splitlines() == [
        "# Costs", "", report.BEGIN, "### Speed", "", *report.HEAD.splitlines(), *entry.lines,
        "", report.NOTES, "", "- why", "", "On.", report.END, "", "More.",
    ]  # fmt: skip


def test_a_row_that_was_not_measured_now_stays_as_it_is() -> None:
    measured = {"speed": report.entry(SPEED, Measured((1.0, 12.5), "a rival: 20 ms"))}
    old = report.rewritten(PAGE, GROUPS, measured, "Today.")
    assert report.rewritten(old, GROUPS, {}, "Today.") == old


def test_a_row_that_was_never_measured_is_in_the_table() -> None:
    assert "| not measured yet |" in report.rewritten(PAGE, GROUPS, {}, "Today.")


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (8.333, "", "8.33"),
        (27.18, "ms", "27.2 ms"),
        (24134.4, "/s", "24,134 /s"),
        (2.0, "", "2"),
        (0.9, "x", "0.90x"),
    ],
)
def test_figures_have_as_many_digits_as_mean_something(value: float, unit: str, shown: str) -> None:
    assert amount(value, unit) == shown


def test_the_echo_bot_answers_every_press_that_somebody_waits_for() -> None:
    costs = asyncio.run(costs_of_echoes(calls_per_press=1.5, presses=8))
    assert costs.calls["editMessageText"] == costs.calls["answerCallbackQuery"] == costs.presses >= 8


def test_the_echo_bot_makes_as_many_calls_as_it_is_told() -> None:
    costs = asyncio.run(costs_of_echoes(calls_per_press=4.5, presses=8))
    assert costs.calls_per_press == pytest.approx(4.5, rel=0.1)


def test_answers_to_presses_are_no_counted_calls_to_discord() -> None:
    server = DiscordServer()
    server.state.requests += [
        Request("POST", f"{API}/interactions/1/token/callback", 204, b""),
        Request("PATCH", f"{API}/webhooks/1/token/messages/@original", 200, b""),
        Request("PATCH", f"{API}/channels/1/messages/2", 200, b""),
    ]
    assert OnDiscord(server, 0).counted() == (1, 0)


@pytest.mark.parametrize("rival", [Greedy(), EarlyTaker(), NeverTakes(), QUICK_SEARCHER, QUICK_TREE])
def test_every_rival_of_the_house_players_plays_by_the_rules(rival: HousePlayer) -> None:
    opening = Opening(PRESETS["perevodnoy"], 2, "rival")
    seconds = list[float]()
    play(opening, [rival, Regular()], watched=0, seconds=seconds)
    assert seconds
