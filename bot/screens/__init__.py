"""Screens: functions that turn a table's public facts, or one seat's view, into text and buttons."""
