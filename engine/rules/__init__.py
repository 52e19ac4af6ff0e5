"""The rules of Durak, as RULES.md tells them: values in, values out; no clock, no chance, no I/O."""
