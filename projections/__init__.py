"""Read models: the views of one game, and lists folded from the log of all games.

What is stored here can be deleted and folded again from the log. `bots` chooses moves from views, `moves` reads moves
that players write. No command is decided here.
"""
