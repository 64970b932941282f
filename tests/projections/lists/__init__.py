"""Lists of games, people and results."""
