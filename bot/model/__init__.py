"""The values that the bot works with: tables, choices, buttons. No input or output."""
