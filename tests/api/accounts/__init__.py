"""Users, tokens and passwords."""
