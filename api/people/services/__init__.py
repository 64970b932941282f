"""The services about people: they act and answer, and know nothing of HTTP."""
