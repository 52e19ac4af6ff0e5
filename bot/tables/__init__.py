"""Live tables, which change by presses and as time passes."""
