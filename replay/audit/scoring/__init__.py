"""Checks of the score of a hand, and of the time, reason and winners of the end of a game.

These modules may import `replay.audit.play`, but no other package of the audit. Scores that a ruling changes are in
`replay.audit.disputes`.
"""
