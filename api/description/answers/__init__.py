"""The schemas of answers."""
