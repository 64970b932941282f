"""The routes about conduct."""
