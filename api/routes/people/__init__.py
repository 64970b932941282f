"""Routes with which people manage their own accounts, and routes for guests."""
