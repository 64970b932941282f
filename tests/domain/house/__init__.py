"""Rules that no preset has."""
