"""Helpers of several commands: configuration, evidence in files, histories, progress bars, worker processes.

A module here defines no command. It may print and end the program with an exit code.
"""
