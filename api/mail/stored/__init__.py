"""The tables about mail."""
