"""Hands as text and whole games, in memory and in a store."""
