"""The rules of Durak as values: no clock, no chance, no input or output."""
