"""The services about mail: they act and answer, and know nothing of HTTP."""
