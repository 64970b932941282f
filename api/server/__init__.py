"""The server's processes: granian receives requests, lanes run them, and a supervisor watches over all processes.

Routes and their answers belong to the features; this package knows none of them.
"""
