"""Disputes, and the effects of rulings."""
