"""Histories as text for people: sentences, hand sheets, transcripts, and the terminal's output.

Only formats what the audit, the fold and the queries have found; judges nothing.
"""
