"""Commands against a server over HTTP: logging in, and games read and checked on the player's own machine."""
