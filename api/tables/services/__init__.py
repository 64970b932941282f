"""The services about tables: they act and answer, and know nothing of HTTP."""
