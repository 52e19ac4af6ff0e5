"""Screens: functions from a table's public facts, or one seat's view, to text and buttons."""
