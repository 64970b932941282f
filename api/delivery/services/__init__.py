"""The services that deliver: they act, and know nothing of HTTP."""
