"""Deadlines, clocks of turns, and times."""
