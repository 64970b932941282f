"""Followers of the log, and the rows that they write."""
