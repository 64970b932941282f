"""Checks of disputes, rulings and appeals, and the scores of a game as ruled.

These modules may import `replay.audit.deals`, `scoring` and `play`, but not `replay.audit.log`, which orders facts.
"""
