"""The services about conduct: they act and answer, and know nothing of HTTP."""
