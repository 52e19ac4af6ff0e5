"""Sends tables, hands and results: which message shows which, and when it may be sent."""
