"""The readers of the commands: each takes the words after the name and returns the request."""
