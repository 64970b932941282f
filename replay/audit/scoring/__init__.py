"""Checks of what a hand scores, and of when, why and for whom a game ends.

Stands on `replay.audit.play` and may import no other package of the audit. Scores that a ruling changes live in
`replay.audit.disputes`.
"""
