"""The database of the projections: transactions, row stores, tables.

Knows SQL and no game. Everything kept here can be rebuilt from the log.
"""
