"""Several servers, several databases, and databases that fail."""
