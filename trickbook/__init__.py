"""For other programs to import: the client of a server, and a helper for tests of rules."""
