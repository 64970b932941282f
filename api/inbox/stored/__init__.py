"""The tables about inboxes."""
