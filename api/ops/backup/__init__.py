"""Backups: a folder with a SQLite server's files and a manifest, made from either store and restored to either."""
