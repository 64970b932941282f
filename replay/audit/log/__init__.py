"""Checks of the log itself: its hash chain, its order, the commits in it, and the envelope of each event.

The highest package of the audit: it asks all others which fact must come next. No check of a fact's own content
lives here.
"""
