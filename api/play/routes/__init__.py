"""The routes about games."""
