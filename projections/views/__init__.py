"""Views: what each viewer sees of one game, folded from the events that are visible to that viewer.

Every view that leaves the server is made here. Rows over many games belong to `projections.lists`.
"""
