"""Read models: the views of one game, and lists folded from the log of all games.

You can delete the lists: the server folds them again from the log. `bots` chooses moves from views, `moves` reads the
moves that players write. No command is decided here.
"""
