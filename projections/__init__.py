"""Read models: the views of one game, and lists folded from the log of all games."""
