"""Plugins of pytest: which tests run, what they share, and what a run reports."""
