"""Checks of a whole store without a server: raw rows, every game's log, and the records beside the log."""
