"""Live tables: what happens at them, whether people press or time passes."""
