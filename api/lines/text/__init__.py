"""Answers to command lines as text."""
