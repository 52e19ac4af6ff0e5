"""Debian's WebKit, as Playwright drives it."""

from tests.wire.webkit.program import WebKit

__all__ = ["WebKit"]
