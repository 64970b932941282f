"""What the routes of event streams and inboxes share."""
