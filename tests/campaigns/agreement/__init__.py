"""Random games and forgeries: the program, its audit, and the verifiers in JavaScript and Go agree about each."""
