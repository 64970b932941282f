"""The audit of a history: its hash chain, deals, cards, turns, tricks, pegs and scores.

    report = audit(history)
    report.findings, report.code(), report.to_json()

It uses neither the server's rules of play nor its fold. To compare the game with today's rules, attach that section:
`audit(history, rejudge(history))`.
"""

from replay.audit.report import CANNOT_TELL, GREEN, WRONG, Report, audit

__all__ = ["CANNOT_TELL", "GREEN", "WRONG", "Report", "audit"]
