"""Everything around the games: the HTTP API, accounts, receipts, operations, and the command line.

Knows HTTP and SQL. The rules of play belong to `domain`, what a viewer may see to `projections`.
"""
