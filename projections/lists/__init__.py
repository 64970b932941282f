"""Lists over all games: the lobby, scoreboards, deadlines and the arbiters' queue.

Each is a fold of the log into rows; `projections.followers` keeps them up to date.
"""
