"""The row stores of the projections, in memory and in a database.

This package depends on no rules. The rows can be rebuilt from the log.
"""
