"""Reads and audits histories from the store or from a file.

It must be able to disagree with the server, so `fold` and `audit` use neither the server's fold nor its rules of play.
"""
