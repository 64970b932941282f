"""The tables about tables."""
