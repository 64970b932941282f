"""The routes about evidence."""
