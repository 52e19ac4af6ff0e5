"""Benchmarks, which take minutes: none of them is a test, and pytest doesn't collect them."""
