"""A second implementation of the rules, slow and written from docs/rules.md alone, to check the engine."""
