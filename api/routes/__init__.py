"""One blueprint for each resource of the HTTP API.

A route reads the request, calls a service or the store, and writes the response. Rules and SQL live elsewhere.
"""
