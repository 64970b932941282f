"""Command lines over HTTP."""
