"""Requests and responses of every route."""
