"""Handlers: commands, presses and appointments, and their answers."""
