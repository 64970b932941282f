"""The services about evidence: they act and answer, and know nothing of HTTP."""
