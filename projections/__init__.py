"""Read models: what a viewer may see of a game, and rows folded from the log of all games."""
