"""Live tables, as people press and as time passes."""
