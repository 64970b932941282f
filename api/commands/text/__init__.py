"""Answers as text for people, at most 78 columns wide."""
