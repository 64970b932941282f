"""Recorded rounds of a beacon, games that use them, and forgeries."""
