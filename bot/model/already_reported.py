"""Errors that whoever found them has logged."""


class AlreadyReportedError(Exception):
    """An error that was logged by whoever found it; those it passes by have nothing to add."""
