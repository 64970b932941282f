"""Rounds of a public beacon, brought by the server itself if its host has named a relay (docs/fairness.md)."""
