"""The values that a bot is made of: tables, what is chosen, what buttons say. No input or output."""
