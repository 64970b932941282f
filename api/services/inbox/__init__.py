"""Inboxes: what has happened in the games of a player, as lists and as streams."""
