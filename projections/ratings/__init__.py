"""Ratings: how well players have done against whom, from the games that count (docs/ratings.md).

`pbmserv` and `skill` are the two scales: pure functions of a game's places and its players' ratings before it.
`rating_pool` rates games in order. `ratings` is the list that follows the log, `rerating` keeps its rows, and
works out what rulings moved.
"""
