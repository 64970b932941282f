"""The routes about tables."""
