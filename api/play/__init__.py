"""Play: moves, views, streams, bots, deals, deadlines, and who may see a game."""
