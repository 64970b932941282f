"""Carrying out requests of command lines."""
