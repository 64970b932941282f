"""The queue, and how far each reader of the log has come."""
