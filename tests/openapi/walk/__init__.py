"""A walk through every route: requests that get each status that the description names for it.

`record` takes the walk and returns a sample of each response. The tests compare them with the description, and `make
examples` writes them into it.
"""
