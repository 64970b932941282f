"""Second implementations of the rules, each from its rule sheet alone."""
