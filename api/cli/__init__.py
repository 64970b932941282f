"""The program `trickbook`: `main`, and one module for each group of commands.

A command parses its arguments, calls a service or `replay`, and prints. `common` holds helpers for several commands.
"""
