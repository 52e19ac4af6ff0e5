"""The rules of Durak, as in docs/rules.md: values in, values out; no clock, no chance, no I/O."""
