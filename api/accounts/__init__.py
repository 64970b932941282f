"""What isn't a fact of a game and may be changed or erased: users, tokens, boards, roles, texts, secrets.

Kept beside the log in `office.db`, or in the PostgreSQL schema `office`. Knows no HTTP.
"""
