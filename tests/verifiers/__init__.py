"""Verifiers in other languages, which were written from docs/verify-a-hand.md alone."""
