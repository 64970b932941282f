"""Histories: files, receipts, the fold, and hands as text."""
