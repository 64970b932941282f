"""Schemas of the bodies that the server answers with, by subject. They describe; nothing is dumped with them."""
