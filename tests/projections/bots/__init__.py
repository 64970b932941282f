"""Bots, which play from their own view alone."""
