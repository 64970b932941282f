"""Checks of disputes, rulings and appeals, and the scores that a game comes to by its rulings.

May import `replay.audit.deals`, `scoring` and `play`, but nothing that orders facts (`replay.audit.log`).
"""
