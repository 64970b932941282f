"""Backups: folders with an SQLite server's files and a manifest, created from and restored to either kind of store.

Nothing here prints: `api.cli.store.backup` reports progress and errors.
"""
