"""The server's signing keys, and the receipts that it signs for the logs of games.

The formats are in `domain.protocols`; checking a receipt is in `replay.history`.
"""
