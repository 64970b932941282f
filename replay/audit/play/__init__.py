"""Checks of a hand between the deal and its score: auction, exchange, tricks, turns, deadlines, rule changes, consent.

The lowest package of the audit: nothing here may import another package of `replay.audit`. Each check yields one
sentence for each fault; whether a card followed suit, or took the trick, is for `replay.rejudge`.
"""
