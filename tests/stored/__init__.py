"""Histories in every storage format so far, unchanged since they were written; all must verify (docs/upgrades.md)."""
