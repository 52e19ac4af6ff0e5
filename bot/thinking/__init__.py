"""Slow computations, and the processes that make them: thoughts of house players, reviews, puzzles."""
