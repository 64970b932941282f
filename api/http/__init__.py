"""What every route shares: requests read, responses and problems written, the caller identified.

Knows Flask and marshmallow. Contains no route, and nothing that outlives a request.
"""
