"""The services about inboxes: they act and answer, and know nothing of HTTP."""
