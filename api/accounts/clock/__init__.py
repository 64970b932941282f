"""The clock that everything in a server asks for the time (docs/operations.md#the-clock)."""
