"""The pages around the table, in a real browser from a real server."""
