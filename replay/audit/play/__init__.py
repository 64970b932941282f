"""Checks of a hand between the deal and its score: auction, exchange, tricks, turns, deadlines, rule changes, consent.

This is the lowest package of the audit: its modules may not import another package of `replay.audit`. Each check yields
one sentence for each fault. `replay.rejudge` checks whether a card follows suit and whether it takes the trick.
"""
