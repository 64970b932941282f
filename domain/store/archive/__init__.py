"""The archive: rows of finished games, moved out of the log's table so that it stays small.

The last event of an archived game stays in the log. So positions never go back, the last version of a game is always in
the log's index, and an event can still be appended to any game, and only after its last one.
"""
