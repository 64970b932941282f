"""Histories of every format that was ever stored, as they were written: they verify for ever (docs/upgrades.md)."""
