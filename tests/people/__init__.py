"""Tests of accounts: tokens, passwords, recovery codes, guests, e-mail, own data, erasure."""
