"""The server's clock, and the times for which it was held."""
