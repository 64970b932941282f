"""The tables about evidence."""
