"""Handlers of commands, presses and appointments."""
