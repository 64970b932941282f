"""Attacks on a running server. A test's name holds the number of the attack and what happens."""
