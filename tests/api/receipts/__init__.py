"""Receipts, proofs, keys and witnesses."""
