"""A recurring error doesn't fill the log."""

import logging

import pytest
from structlog.testing import CapturedCall, CapturingLogger

from bot.process.logs import INTERVAL, Repetitions


class Now:
    """Time that the test controls."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def record(event: str, error: Exception | None) -> logging.LogRecord:
    """Returns a line as structlog passes it."""
    return logging.makeLogRecord({"msg": {"event": event, "exc_info": error}})


def failed(event: str = "press_failed", kind: type[Exception] = ValueError) -> logging.LogRecord:
    with pytest.raises(kind) as raised:
        raise kind
    return record(event, raised.value)


def test_lines_without_a_trace_are_never_counted() -> None:
    repetitions = Repetitions()
    assert all(repetitions.is_new(record("started", None)) for _ in range(3))


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> list[CapturedCall]:
    """Returns the lines with the counts of repeated errors."""
    logger = CapturingLogger()
    monkeypatch.setattr("bot.process.logs.log", logger)
    return logger.calls


def test_the_same_error_is_counted_once_for_each_interval(counts: list[CapturedCall]) -> None:
    now = Now()
    repetitions = Repetitions(now)
    assert [repetitions.is_new(failed()) for _ in range(4)] == [True, False, False, False]

    repetitions.report()
    assert counts == []

    now.seconds = INTERVAL
    repetitions.report()
    assert counts.pop().kwargs == {"of": "press_failed", "error": "ValueError", "times": 3}
    assert not repetitions.is_new(failed())

    repetitions.report()
    assert counts == []

    now.seconds = 2 * INTERVAL
    repetitions.report()
    assert [line.kwargs["times"] for line in counts] == [1]


def test_an_error_that_stayed_away_for_an_interval_is_told_in_full_again(counts: list[CapturedCall]) -> None:
    now = Now()
    repetitions = Repetitions(now)
    assert repetitions.is_new(failed())
    now.seconds = INTERVAL
    repetitions.report()
    assert counts == []
    assert repetitions.is_new(failed())


def test_another_event_another_error_and_another_place_are_told_in_full() -> None:
    repetitions = Repetitions()
    assert repetitions.is_new(failed())
    assert repetitions.is_new(failed("survey_failed"))
    assert repetitions.is_new(failed(kind=TypeError))
    with pytest.raises(ValueError, match="no number") as elsewhere:
        int("no number")

    assert repetitions.is_new(record("press_failed", elsewhere.value))
