"""What each viewer may see of one game: a fold of the events that are visible to that viewer.

Every view that leaves the server is made here. Rows over many games belong to `projections.lists`.
"""
