"""Fuzzed requests to a real server: each is answered, none is an internal error, and no game is harmed."""
