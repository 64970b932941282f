"""Lists over all games: the lobby, scoreboards, deadlines and the arbiters' queue.

Each list is a fold of the log into rows. `projections.followers` keeps the rows up to date.
"""
