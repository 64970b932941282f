"""Commands about disputes: those of players, and those of arbiters."""
