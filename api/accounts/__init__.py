"""Data that isn't a fact of a game and may be changed or erased: users, tokens, boards, roles, texts, secrets.

Stored beside the log, in the file `office.db` or the PostgreSQL schema `office`.
"""
