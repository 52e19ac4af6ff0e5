"""The values that a bot is made of: tables, choices, buttons. No input or output."""
