"""The rules a second time, slow and written from RULES.md alone; the engine must agree with them."""
