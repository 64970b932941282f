"""Histories as text for people: sentences, hand sheets, transcripts, and the terminal's output.

It only formats the results of the audit, the fold and the queries; it judges nothing.
"""
