"""Play by mail, below HTTP: addresses with a signature, the outbox that follows the log, and the way to the relay."""
