"""Moves as players write them, in JSON or in text, read into commands.

This package knows the format of moves, but not which moves are legal.
"""
