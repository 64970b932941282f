"""Checks of a whole store without a server: raw rows, every game's log, and the records beside the log.

Nothing here writes to a store, or opens it as a server does.
"""
