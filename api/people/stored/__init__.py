"""The tables about people."""
