"""Helpers that all routes share: they read requests, write responses and problems, and identify the caller.

Knows Flask and marshmallow. Contains no routes and no state that outlives a request.
"""
