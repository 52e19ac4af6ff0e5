"""The chat adapters: they translate events and send messages, and contain no rules or texts of the game."""
