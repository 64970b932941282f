"""Lanes: where requests run, how clients share them, and who is refused if one is full."""
