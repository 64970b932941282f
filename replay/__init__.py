"""Reads histories from the store or from a file, and must be able to disagree with the server."""
