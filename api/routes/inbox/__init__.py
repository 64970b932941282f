"""Routes about what happens in the games of a player."""
