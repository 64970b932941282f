"""The rules of Blackout."""
