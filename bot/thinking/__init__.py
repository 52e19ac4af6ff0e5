"""Slow computations, and the processes that run them: thoughts of house players, reviews, puzzles."""
