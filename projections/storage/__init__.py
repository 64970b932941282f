"""Databases and their transactions, and the row stores of the projections.

This package depends on no rules. The rows can be rebuilt from the log.
"""
