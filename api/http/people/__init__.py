"""Schemas of requests about accounts, the scopes of tokens, and the counting of wrong passwords."""
