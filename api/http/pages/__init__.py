"""What the pages of this server need beside the API: the cookie of a session, and its protection."""
