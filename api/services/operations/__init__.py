"""What operators need to know about a running server: its metrics, and which nodes share its store."""
