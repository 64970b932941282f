"""The services about games: they act and answer, and know nothing of HTTP."""
