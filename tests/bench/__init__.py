"""Measurements that take minutes; nothing here is a test, and the test command does not come here."""
