"""The routes about people."""
