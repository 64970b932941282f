"""Faults of the network between a server and PostgreSQL: connections that are cut before, in or after a commit."""
