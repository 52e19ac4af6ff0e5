"""Sends tables, hands and results: decides which message shows what, and when it may be sent."""
