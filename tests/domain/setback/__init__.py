"""The rules of Setback."""
