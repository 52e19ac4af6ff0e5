"""The rules of Durak, as in RULES.md: values in, values out; no clock, no chance, no I/O."""
