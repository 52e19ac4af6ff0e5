"""The rules a second time, slow and written from docs/rules.md alone; the engine must agree with them."""
