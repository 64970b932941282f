"""Checks of the log itself: its hash chain, its order, the commits in it, and the envelope of each event.

It's the highest package of the audit: to know which fact must come next, it uses all the others. Checks of a fact's
own content live in those.
"""
