"""Helpers of the routes about conduct: schemas, access, problems and JSON."""
