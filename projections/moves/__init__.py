"""Moves as players write them, in JSON or in text, read into commands.

Knows the shape of a move and nothing about whether it is legal.
"""
