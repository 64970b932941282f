"""Pages of the documentation: each agrees with the program."""
