"""The tables about conduct."""
