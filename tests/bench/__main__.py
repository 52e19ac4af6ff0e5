"""The table of costs, beside the same figures of other programs: `python -m tests.bench --help`."""

import faulthandler
import os
from argparse import ArgumentParser

from bot.process.logs import configure_logs
from tests.bench import report
from tests.bench.registry import GROUPS, ROWS
from tests.bench.rows import Measured, MissingRivalError, Row

ROW_TIMEOUT = 900
# Seconds after which a row is taken to hang: where it waits is printed, and the run fails.
QUICK_ROW_TIMEOUT = 120


def main() -> None:
    """Measures the chosen rows and prints each as soon as it is measured."""
    names = [row.name for row in ROWS]
    parser = ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("rows", nargs="*", metavar="row", help=f"any of: {', '.join(names)}; all by default")
    parser.add_argument("--quick", action="store_true", help="see that all works; the figures mean nothing")
    parser.add_argument("--write", action="store_true", help="put the rows into docs/benchmarks.md")
    options = parser.parse_args()
    if unknown := set(options.rows) - set(names):
        parser.error(f"there is no row {unknown.pop()!r}")

    if options.quick and options.write:
        parser.error("what --quick finds is not worth writing down")

    configure_logs("error", "text")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an owner's bot compiles itself once, not at every start
    entries = dict[str, report.Entry]()

    for row in ROWS:
        if not options.rows or row.name in options.rows:
            measured = report.entry(row, _measured(row, is_quick=options.quick))
            print(*measured.lines, measured.note, sep="\n", flush=True)
            entries[row.name] = measured

    on = report.machine()
    print(f"\n{on}")
    if options.write:
        report.FILE.write_text(report.rewritten(report.FILE.read_text(), GROUPS, entries, on))


def _measured(row: Row, *, is_quick: bool) -> Measured | MissingRivalError:
    timeout = QUICK_ROW_TIMEOUT if is_quick else ROW_TIMEOUT
    faulthandler.dump_traceback_later(timeout, exit=True)

    try:
        return row.measure(is_quick)
    except MissingRivalError as error:
        return error
    finally:
        faulthandler.cancel_dump_traceback_later()


if __name__ == "__main__":
    main()
