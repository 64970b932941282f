"""The parser of the command line: the catalog of commands, groups that import on demand, and names of version 0.1."""
